// The series that gnocchi_count works on, and what the host makes of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace overcast::cases {

/// A metric that is measured at a fixed interval, and sometimes not at all for a while.
struct Series {
    std::uint64_t start_ns = 0;
    std::uint64_t sampling_ns = 0;
    /// After so many points there is a gap, at times within one interval of the result and at times
    /// over many; 0: never.
    std::uint64_t gap_every = 0;
};

/// The latest start of the interval of `period_ns` in which `time_ns` lies.
constexpr std::uint64_t floor_to(std::uint64_t time_ns, std::uint64_t period_ns) {
    return time_ns - time_ns % period_ns;
}

/// The longest that a gap can be.
constexpr std::uint64_t kLongestGapSeconds = 5'000;

void fill_timestamps(const Series& series, std::span<std::uint64_t> timestamps_ns);

/// By point: number and sum of the points that share an interval, at the first point of each
/// interval; 0 at the others.
struct Resampled {
    std::vector<std::uint32_t> counts;
    std::vector<float> sums;
};

Resampled resample(std::span<const std::uint64_t> timestamps_ns, std::span<const float> values,
                   std::uint64_t period_ns);

}  // namespace overcast::cases
