// Units that older blocks fill, and what others find of them all the same.
#include "model/full_pipe.hpp"
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr double kMuch = 0.5;  // of a unit; Assumes: who asks for more could fill it
constexpr auto kXu = static_cast<std::size_t>(SmUnit::xu_pipe);

}  // namespace

/// Who could fill a unit himself finds no more of it than what can be reached, others the share
/// `findable` of what lies beyond, too.
double SmSharing::most_for(double asked_by_kernel, std::size_t unit, double free,
                           double findable) const {
    const auto lost = asked_by_kernel > kMuch ? 1 : 1 - findable;
    return std::clamp(free - lost * (unit_peaks_[unit] - 1), 0.0, 1.0);
}

/// Older warps ask for more than all of a pipe of arithmetic.
bool SmSharing::is_filled(std::size_t unit, const Served& so_far) const {
    return longest_wait_[unit] > 0 && so_far.asked[unit] > 1;
}

/// Of what cannot be reached of a unit: all but where loads are wide, and where older warps ask for
/// more than all of a pipe, so that all of them are seldom elsewhere.
double SmSharing::findable(const ResidentBlocks& blocks, std::size_t unit,
                           const Served& so_far) const {
    if (unit == 0) {
        return blocks.demand->units.share_beyond_capacity;
    }
    if (!is_filled(unit, so_far)) {
        return 1;
    }
    const auto idle = idle_share(so_far.warps[unit], so_far.asked[unit]);
    return std::min(1.0, idle / (unit_peaks_[unit] - 1));
}

/// Of a pipe of arithmetic, by an instruction of each warp in the longest time that one waits.
double SmSharing::served_in_time(const ResidentBlocks& blocks, std::size_t unit) const {
    return longest_wait_[unit] > 0 ? warps_per_scheduler(*blocks.demand, blocks.per_sm) *
                                         pipe_cycles(unit) / longest_wait_[unit]
                                   : 0;
}

/// Instructions for the XU, few as they may be, each wait until those of older warps that fill it
/// are all elsewhere.
double SmSharing::speed_behind_xu(const ResidentBlocks& blocks, const Served& so_far) const {
    const auto demand = blocks.demand->units.sm[kXu];
    if (demand <= 0 || !is_filled(kXu, so_far)) {
        return 1;
    }
    const auto cycles = pipe_cycles(kXu);
    const auto idle = idle_share(so_far.warps[kXu], so_far.asked[kXu]);
    const auto wait = std::min(longest_wait_[kXu], cycles / idle);
    const auto per_cycle =
        demand / unit_peaks_[kXu] / cycles / warps_per_scheduler(*blocks.demand, 1);
    return 1 / (1 + per_cycle * wait);
}

/// What is left to those that are served next.
void SmSharing::take(const ResidentBlocks& blocks, Served& so_far) const {
    constexpr double kCounts = 0.01;  // of a unit; Assumes: who asks for less does not fill it
    const auto warps = warps_per_scheduler(*blocks.demand, blocks.per_sm);
    for (std::size_t unit = 0; unit < units_; ++unit) {
        const auto reached = unit == 0 ? blocks.demand->units.slots_reached : 1;
        const auto asked = blocks.per_sm * blocks.demand->units.sm[unit];
        so_far.left[unit] -= asked * blocks.speed_on_sm * reached;
        so_far.asked[unit] += asked;
        so_far.warps[unit] += asked > kCounts * warps ? warps : 0;
    }
    so_far.used += slots_used(blocks);
}

}  // namespace overcast
