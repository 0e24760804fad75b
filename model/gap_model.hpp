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

/// What the link is busy with while a channel is to wake up: it reads its next commands from host
/// memory, over the same link.
enum class LinkLoad : std::uint8_t { none, h2d, d2h, both };

constexpr LinkLoad link_load(bool h2d, bool d2h) {
    return h2d ? (d2h ? LinkLoad::both : LinkLoad::h2d) : (d2h ? LinkLoad::d2h : LinkLoad::none);
}

/// The gaps of one device:
///   gap = base(earlier, later) + growth(earlier, later, waiting, load)
/// `waiting`: other channels of the later operation's kind whose head waits. Beside both
/// directions the larger growth counts.
class GapModel {
public:
    explicit GapModel(const GapParameters& parameters);

    [[nodiscard]] Duration gap(GapSide earlier, GapSide later, std::uint32_t waiting,
                               LinkLoad load) const {
        return gaps_[static_cast<std::size_t>(load)][static_cast<std::size_t>(earlier)]
                    [static_cast<std::size_t>(later)][std::min<std::size_t>(waiting, kMostWaiting)];
    }

    /// What is added between two kernels where the earlier one brings so much into the L2.
    [[nodiscard]] Duration behind(Bytes brought, LinkLoad load) const;

    /// Whether the gap is another one while the link is busy.
    [[nodiscard]] bool link_matters(GapSide earlier, GapSide later, std::uint32_t waiting) const {
        return link_matters_[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)]
                            [std::min<std::size_t>(waiting, kMostWaiting)];
    }

    /// True where the later operation's channel finds the earlier one done when it first looks,
    /// because its call returned late: `end_after_return` is the time from that return to the end.
    [[nodiscard]] bool arrives_late(GapSide earlier, GapSide later,
                                    Duration end_after_return) const {
        return end_after_return <=
               late_[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)];
    }

private:
    static constexpr std::size_t kLoads = 4;
    static constexpr std::size_t kSides = 3;
    static constexpr std::size_t kMostWaiting = 31;  // there are at most 32 channels of a kind
    using ByWaiting = std::array<Duration, kMostWaiting + 1>;
    std::array<std::array<std::array<ByWaiting, kSides>, kSides>, kLoads> gaps_{};
    std::array<std::array<std::array<bool, kMostWaiting + 1>, kSides>, kSides> link_matters_{};
    std::array<std::array<Duration, kSides>, kSides> late_{};
    std::array<Curve, 3> by_brought_;
};

}  // namespace overcast
