// How blocks slow each other down on shared units (docs/model.md#kernels-side-by-side).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace overcast {

/// Equal users of a unit: how many, and the share of it that each asks for when nothing holds it
/// up.
struct UnitUsers {
    double count = 0;
    double demand = 0;
};

/// How long a unit makes its users wait, so that together they use no more than all of it:
///   sum over users of n d / (1 + d w) = 1,   w = 0 where the sum of n d is at most 1.
/// A user is slowed by 1 + d w: by as much more as it needs the unit more. Equal users are slowed
/// by the sum of their demands; one that hardly needs the unit is hardly slowed.
/// Assumes: whoever asks waits the same time for his turn (docs/model.md says where that fails).
double unit_delay(std::span<const UnitUsers> users);

/// Speed of a block on an SM that holds `blocks` of its kernel and no other, relative to a block
/// that nothing holds up.
///   speed = 1 / max(1, blocks d)
constexpr double shared_speed(double load) { return 1 / std::max(1.0, load); }

/// Mean speed of `blocks` blocks that are dealt evenly over `sms` SMs and have them to themselves;
/// each asks for `load_per_block`. At least one block.
constexpr double mean_speed(std::uint64_t blocks, std::uint32_t sms, double load_per_block) {
    const auto fewer = blocks / sms;       // on every SM
    const auto fuller_sms = blocks % sms;  // which have one more
    const auto speeds = [&](std::uint64_t on_each, std::uint64_t of_sms) {
        const auto count = static_cast<double>(on_each);
        return static_cast<double>(of_sms) * count * shared_speed(count * load_per_block);
    };
    return (speeds(fewer + 1, fuller_sms) + speeds(fewer, sms - fuller_sms)) /
           static_cast<double>(blocks);
}

}  // namespace overcast
