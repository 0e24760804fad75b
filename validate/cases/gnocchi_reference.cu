#include "validate/cases/gnocchi_reference.hpp"

#include <cstddef>

namespace overcast::cases {
namespace {

/// Seconds beyond the sampling interval.
std::uint64_t length_of_gap(std::uint64_t number) {
    constexpr std::uint64_t kLongestShortGap = 97;
    return number % 2 == 1 ? 1 + number * 31 % kLongestShortGap
                           : 1 + number * 7919 % (kLongestGapSeconds - 1);
}

}  // namespace

void fill_timestamps(const Series& series, std::span<std::uint64_t> timestamps_ns) {
    constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
    std::uint64_t time = series.start_ns;
    for (std::size_t i = 0; i < timestamps_ns.size(); ++i) {
        if (i > 0) {
            time += series.sampling_ns;
            if (series.gap_every != 0 && i % series.gap_every == 0) {
                time += length_of_gap(i / series.gap_every) * kNanosecondsPerSecond;
            }
        }
        timestamps_ns[i] = time;
    }
}

Resampled resample(std::span<const std::uint64_t> timestamps_ns, std::span<const float> values,
                   std::uint64_t period_ns) {
    Resampled result;
    result.counts.resize(timestamps_ns.size(), 0);
    result.sums.resize(timestamps_ns.size(), 0.0F);
    std::size_t first = 0;  // point of the interval at hand
    std::uint64_t end_ns = 0;
    for (std::size_t i = 0; i < timestamps_ns.size(); ++i) {
        if (timestamps_ns[i] >= end_ns) {
            first = i;
            end_ns = floor_to(timestamps_ns[i], period_ns) + period_ns;
        }
        ++result.counts[first];
        result.sums[first] += values[i];
    }
    return result;
}

}  // namespace overcast::cases
