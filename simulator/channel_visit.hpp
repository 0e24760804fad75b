// What a copy engine has copied since it came to a channel (rule 9).
#pragma once

#include "core/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace overcast {

/// When the copies of one stay on a channel started; the last kLongest + 1 of them are known.
class ChannelVisit {
public:
    static constexpr std::uint32_t kLongest = 31;

    void serve(std::uint32_t channel, TimelineTime start) {
        served_ = channel == channel_ ? served_ + 1 : 1;
        channel_ = channel;
        starts_[last_ = (last_ + 1) % starts_.size()] = start;
    }

    [[nodiscard]] bool empty() const { return served_ == 0; }

    /// When the copy started that stands so many before the last one, of a fraction between two of
    /// them; the first, where it has served fewer.
    [[nodiscard]] TimelineTime start_before_last(double copies) const {
        const auto most = static_cast<double>(std::min<std::uint64_t>(served_ - 1, kLongest));
        const double back = std::clamp(copies, 0.0, most);
        const auto later = at(static_cast<std::size_t>(back));
        const auto earlier = at(static_cast<std::size_t>(std::ceil(back)));
        return later - round_to_duration((back - std::floor(back)) *
                                         static_cast<double>((later - earlier).count()));
    }

private:
    [[nodiscard]] TimelineTime at(std::size_t before_last) const {
        return starts_[(last_ + starts_.size() - before_last) % starts_.size()];
    }

    std::array<TimelineTime, kLongest + 1> starts_{};
    std::size_t last_ = 0;
    std::uint64_t served_ = 0;
    std::uint32_t channel_ = 0;
};

}  // namespace overcast
