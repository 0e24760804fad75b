// How blocks slow each other down on a shared SM (docs/model.md#kernels-side-by-side).
#pragma once

#include <algorithm>
#include <cstdint>

namespace overcast {

/// Speed of a block on an SM whose resident blocks ask for `load` of its issue slots, relative to a
/// block that has the SM to itself: where they ask for more than there are, each gets its share.
///   speed = 1 / max(1, load)
/// Assumes: warps alone tell the load; `kernel.saturating_warps` of them use up an SM. Which unit
/// is scarce cannot be seen in a trace.
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
