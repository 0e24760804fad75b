// Time from the end of one operation to the start of the next of its stream (docs/model.md#gaps).
#pragma once

#include "model/device_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace overcast {

/// What an operation is for the gaps around it.
enum class GapSide : std::uint8_t { h2d, d2h, kernel };

/// The gaps of one device:
///   gap = base(earlier, later) + growth(earlier, later, waiting)
/// `waiting`: other channels of the later operation's kind whose head waits.
class GapModel {
public:
    explicit GapModel(const GapParameters& parameters);

    [[nodiscard]] Duration gap(GapSide earlier, GapSide later, std::uint32_t waiting) const {
        return gaps_[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)]
                    [std::min<std::size_t>(waiting, kMostWaiting)];
    }

private:
    static constexpr std::size_t kSides = 3;
    static constexpr std::size_t kMostWaiting = 31;  // there are at most 32 channels of a kind
    std::array<std::array<std::array<Duration, kMostWaiting + 1>, kSides>, kSides> gaps_{};
};

}  // namespace overcast
