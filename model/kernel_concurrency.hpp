// How blocks slow each other down on shared units (docs/model.md#kernels-side-by-side).
#pragma once

#include <algorithm>
#include <span>

namespace overcast {

/// Equal users of a unit, such as the warps of a kernel.
struct UnitUsers {
    double count = 0;
    double demand = 0;  ///< share of the unit that each asks for when nothing holds it up
    /// What each waits for there one after the other, per unit of time, when nothing holds it up:
    /// the requests that it sends at once wait together.
    double waits = 0;
};

/// How long a request waits for its turn at a unit (w), in the unit of time of `waits`. A user with
/// the demand d that waits a times is slowed by 1 + a w. Together they use of the unit
///   u(w) = sum over users of n d / (1 + a w),
/// and w is the least for which u(w) <= 1 and w >= growth * u(w)^4: a unit that is nearly full
/// makes others wait, too. `growth` is what a request waits for where the unit is just full.
/// Assumes: whoever asks waits the same time for his turn (docs/model.md says where that fails).
double unit_wait(std::span<const UnitUsers> users, double growth = 0);

/// How much longer a request takes where the share `used` of a unit is used, relative, if it is
/// `growth` where all is: growth * used^4 (docs/model.md).
constexpr double grown(double growth, double used) {
    const auto square = used * used;
    return growth * square * square;
}

/// 0 to 1: whether who uses so much of a unit, relative to what can be reached of it, waits for it.
constexpr double contention(double used) {
    constexpr double kFrom = 0.85;
    constexpr double kFully = 0.95;
    return std::clamp((used - kFrom) / (kFully - kFrom), 0.0, 1.0);
}

/// How fast warps run that issue `pace` instructions per cycle when alone, where older ones use the
/// share U of their scheduler's slots: each instruction waits for the first free one,
///   U / (1 - U) cycles in the mean,
/// if each slot is taken with that probability. 1 where the pace is not known (0).
constexpr double speed_between(double used, double pace) {
    constexpr double kMost = 0.999;  // of the slots: some is always left
    const auto of_slots = used < kMost ? used : kMost;
    const auto left = 1 - of_slots;
    return left / (left + of_slots * pace);
}

/// Of `count` blocks that each, alone, keep their scheduler busy for the share `busy` of the time
/// and then wait for their own barrier, how many are found there in the mean, waiting or served:
/// mean value analysis of a closed network of one queue (Reiser and Lavenberg, 1980),
///   R = busy (1 + Q(n - 1)),   Q(n) = n R / (1 - busy + R),   Q(0) = 0,
/// linear between whole numbers.
double blocks_at_scheduler(double busy, double count);

/// How much longer a block takes whose warps wait for each other at barriers and that alone keeps
/// each scheduler busy for `busy` of its time, where `queue` blocks of others are found there in
/// the mean that together would keep it busy for `load`. At each barrier it is as late as at the
/// one of the four schedulers where it waits longest: 25 / 12 times the mean of one (1 + 1/2 + 1/3
/// + 1/4: the largest of four exponentially distributed waits), but no longer than all others are
/// busy.
constexpr double slowed_at_barriers(double busy, double queue, double load) {
    constexpr double kLongestOfFour = 25.0 / 12;
    const auto waits = kLongestOfFour * busy * queue;
    return 1 + (waits < load ? waits : load);
}

}  // namespace overcast
