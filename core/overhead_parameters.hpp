// The five same-stream gaps of the seed systems, as one trace shows them.
#pragma once

#include "core/units.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast {

/// From the end of one operation to the start of the next in the same stream, device clock.
enum class GapKind : std::uint8_t {
    h2d_to_h2d,        ///< h2d_ovhd
    h2d_to_kernel,     ///< host2kern_ovhd
    kernel_to_kernel,  ///< kern_ovhd
    kernel_to_d2h,     ///< kern2host_ovhd
    d2h_to_d2h,        ///< d2h_ovhd
    d2h_to_h2d,        ///< no name of its own in the seed systems
};

constexpr std::size_t kGapKinds = 6;

/// The seed systems' name of a gap, as used by `--overhead NAME=2us`.
constexpr std::string_view overhead_name(GapKind kind) {
    constexpr std::array<std::string_view, kGapKinds> kNames{
        "h2d_ovhd", "host2kern_ovhd", "kern_ovhd", "kern2host_ovhd", "d2h_ovhd", "d2h2h2d_ovhd"};
    return kNames[static_cast<std::size_t>(kind)];
}

struct GapStatistics {
    Duration median{};
    Duration p10{};
    Duration p90{};
    std::uint64_t count = 0;
};

/// Absent where the trace holds no such pair (tracing's own share is taken out already).
struct OverheadParameters {
    std::array<std::optional<GapStatistics>, kGapKinds> gaps;

    std::optional<GapStatistics>& operator[](GapKind kind) {
        return gaps[static_cast<std::size_t>(kind)];
    }
    const std::optional<GapStatistics>& operator[](GapKind kind) const {
        return gaps[static_cast<std::size_t>(kind)];
    }
};

}  // namespace overcast
