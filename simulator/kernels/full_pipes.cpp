// Units that older blocks fill, and what others find of them all the same
// (docs/model.md#kernels-side-by-side).
#include "model/full_pipe.hpp"
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr double kMuch = 0.5;      // of a unit; Assumes: who asks for more could fill it
constexpr double kFills = 0.95;    // of a unit, what is asked for; Assumes: less leaves room
constexpr double kUsedUp = 0.9;    // of a unit, what is used; Assumes: less leaves room
constexpr double kCounts = 0.01;   // of a unit; Assumes: who asks for less does not fill it
constexpr double kDivides = 0.01;  // of the XU; Assumes: less is a division for each block
constexpr double kWaitsOfDivision = 4.0 / 3;  // per instruction for the XU
constexpr auto kAlu = static_cast<std::size_t>(SmUnit::alu_pipe);
constexpr double kWords = 0.7;  // of the LSU; Assumes: reads that use less are of 16 bytes

/// Whether all blocks of a kernel on an SM could fill a unit together.
bool could_fill(const SmGroup& group, const ResidentBlocks& blocks, std::size_t unit) {
    return blocks_of_kernel(group, blocks) * blocks.demand->units.sm[unit] > kMuch;
}

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

/// Where each instruction for a pipe waits so many cycles until those of older warps are all
/// elsewhere, few as it may have.
double SmSharing::speed_in_gaps(const ResidentBlocks& blocks, std::size_t unit, double wait) const {
    const auto per_cycle = blocks.demand->units.sm[unit] / unit_peaks_[unit] / pipe_cycles(unit) /
                           warps_per_scheduler(*blocks.demand, 1);
    return 1 / (1 + per_cycle * wait);
}

/// Special functions, whoever fills their pipe, own blocks too. It serves each in the same time,
/// which makes its queue vary half as much as that of idle_share() does: idle in P^2 of the time.
/// Who hardly uses any divides an index, where the last of three, the conversion to an integer,
/// waits twice.
double SmSharing::speed_behind_xu(const ResidentBlocks& blocks, const Served& so_far) const {
    const auto asked = blocks.demand->units.sm[kXu];
    if (asked <= 0 || !is_filled(kXu, so_far)) {
        return 1;
    }
    const auto idle = idle_share(so_far.warps[kXu], so_far.asked[kXu]);
    const auto wait = std::min(longest_wait_[kXu], pipe_cycles(kXu) / (idle * idle));
    return speed_in_gaps(blocks, kXu, asked < kDivides ? wait * kWaitsOfDivision : wait);
}

/// Of the issue slots, those that older blocks of other kernels than that at `place` hold beyond
/// one for each instruction: after one for the XU the next slot is not free for others, and after
/// one for the LSU a share of it.
double SmSharing::held_by_older(const SmGroup& group, std::size_t place) const {
    const auto& blocks = group.residents[place];
    double held = 0;
    for (std::size_t i = 0; i < place && longest_wait_[kXu] > 0 && gives_way(blocks); ++i) {
        const auto& other = group.residents[i];
        if (other.kernel != blocks.kernel) {
            const auto used = [&](std::size_t unit) {
                return other.per_sm * other.demand->units.sm[unit] * speed_of_use(other) /
                       unit_peaks_[unit];
            };
            held += used(kXu) / pipe_cycles(kXu) + lsu_second_slot_ * used(kLsuPipe) / kLsuCycles;
        }
    }
    return held * unit_peaks_[kIssueSlots];
}

/// Warps per scheduler that wait for something else than an issue slot, in the mean: by Little's
/// law instructions per cycle, each (interval - 1) cycles before the next one of its warp is ready.
double SmSharing::elsewhere(const ResidentBlocks& blocks) const {
    return slots_used(blocks) * std::max(0.0, blocks.demand->units.interval - 1);
}

/// Of a unit, what older blocks than that at `place` ask for and use.
SmSharing::UsedByOlder SmSharing::used_by_older(const SmGroup& group, std::size_t place,
                                                std::size_t unit) const {
    const auto kernel = group.residents[place].kernel;
    UsedByOlder use;
    for (std::size_t i = 0; i < place; ++i) {
        const auto& other = group.residents[i];
        const auto& units = other.demand->units;
        const auto asked = other.per_sm * units.sm[unit];
        if (other.kernel == kernel) {
            use.by_own += asked * speed_of_use(other);
            continue;
        }
        // What comes from the L2 is in the L1 before any instruction asks for it.
        if (!gives_way(other) || (unit == kL1Path && units.l2_waits > kWaitsOften)) {
            continue;
        }
        const auto warps = warps_per_scheduler(*other.demand, other.per_sm);
        use.asked += asked;
        use.used += asked * speed_of_use(other);
        if (asked > kCounts * warps) {
            use.warps += warps;
            use.elsewhere += elsewhere(other);
        }
        use.in_bursts += units.burst > kShortBurst ? warps : 0;
    }
    return use;
}

/// What a block finds of a unit that older ones of other kernels fill.
SmSharing::Gaps SmSharing::find_gaps(const SmGroup& group, std::size_t place, std::size_t unit,
                                     const Served& so_far) const {
    const auto& blocks = group.residents[place];
    const auto filled = unit == kLsuPipe ? kL1Path : unit;  // the way to shared memory
    const bool known =
        unit == kIssueSlots ? slot_wait_ > 0 : longest_wait_[filled == kL1Path ? kAlu : unit] > 0;
    if (!known || so_far.asked[filled] <= kFills || blocks.demand->units.sm[unit] <= 0) {
        return {};
    }
    const auto use = used_by_older(group, place, filled);
    if (use.asked <= kFills || use.used <= kUsedUp) {
        return {};
    }
    if (unit == kIssueSlots) {
        return gaps_of_slots(group, blocks, use);
    }
    if (filled == kL1Path) {
        return gaps_of_shared_memory(group, place, unit, use);
    }
    return gaps_of_pipe(group, blocks, unit, use);
}

/// A warp that finds a slot goes on until it waits: for its whole run, as do others of its kernel.
SmSharing::Gaps SmSharing::gaps_of_slots(const SmGroup& group, const ResidentBlocks& blocks,
                                         const UsedByOlder& use) const {
    const bool ready = std::ranges::any_of(group.residents, [&](const ResidentBlocks& other) {
        return !gives_way(other) && other.kernel != blocks.kernel;
    });
    const auto& units = blocks.demand->units;
    if (ready || !gives_way(blocks) || units.interval <= 0) {
        return {};
    }
    const bool in_bursts = use.in_bursts > use.warps / 2;
    const auto waiting = std::max(1.0, use.warps - use.elsewhere);
    const auto idle = std::max(in_bursts ? idle_share(use.warps, use.asked) : 0,
                               std::min(1.0, 1 / (slot_wait_ * waiting * waiting)));
    const auto run = 1 + units.rest_of_run;
    const auto own = warps_per_scheduler(*blocks.demand, blocks_of_kernel(group, blocks));
    const auto behind_own = std::max(0.0, own - 1) * units.rest_of_run;
    const auto wait = (1 - idle) / idle / run * (1 + behind_own);
    return {idle * run / (1 + idle * (run - 1)) - use.by_own,
            units.interval / (units.interval + wait)};
}

/// The L1 is one server for all schedulers.
SmSharing::Gaps SmSharing::gaps_of_shared_memory(const SmGroup& group, std::size_t place,
                                                 std::size_t unit, const UsedByOlder& use) const {
    const auto& blocks = group.residents[place];
    const auto& units = blocks.demand->units;
    const auto asked = blocks.per_sm * units.sm[unit];
    const auto idle = idle_share(use.warps * kSchedulers, use.asked);
    if (units.l2_waits <= kWaitsOften) {
        const auto taken = unit == kL1Path ? use.by_own : used_by_older(group, place, unit).by_own;
        return {could_fill(group, blocks, unit) ? 0 : idle - taken};
    }
    if (unit == kL1Path) {
        return {asked};  // what comes from the L2 waits for no instruction
    }
    const auto interval = warps_per_scheduler(*blocks.demand, blocks.per_sm) * kLsuCycles / asked;
    const auto wait = wait_behind_reads(group, place, use);
    const auto left = idle - used_by_older(group, place, unit).by_own;
    const auto most = std::max(left, asked * interval / (interval + wait));
    return {most, std::min(1.0, most / asked)};
}

/// Cycles that a load waits behind reads of shared memory, of older warps that fill the L1: of
/// words, so that they fill the way there, too, or of more, between which it has time to pass.
double SmSharing::wait_behind_reads(const SmGroup& group, std::size_t place,
                                    const UsedByOlder& use) const {
    const bool words = used_by_older(group, place, kLsuPipe).asked >= kWords;
    const auto& by_warps = words ? reads_.load_behind_words : reads_.load_behind_wide;
    return by_warps.empty() ? 0 : by_warps.linear(use.warps);
}

SmSharing::Gaps SmSharing::gaps_of_pipe(const SmGroup& group, const ResidentBlocks& blocks,
                                        std::size_t unit, const UsedByOlder& use) const {
    if (unit == kXu) {
        return {};  // speed_behind_xu()
    }
    const auto idle = idle_share(use.warps, use.asked);
    const bool waits = unit == kAlu && gives_way(blocks);
    return {
        could_fill(group, blocks, unit) ? 0 : idle - use.by_own,
        waits ? speed_in_gaps(blocks, unit, std::min(longest_wait_[unit], pipe_cycles(unit) / idle))
              : 1};
}

/// What is left to those that are served next.
void SmSharing::take(const ResidentBlocks& blocks, Served& so_far) const {
    const auto warps = warps_per_scheduler(*blocks.demand, blocks.per_sm);
    for (std::size_t unit = 0; unit < units_; ++unit) {
        const auto reached = unit == 0 ? blocks.demand->units.slots_reached : 1;
        const auto asked = blocks.per_sm * blocks.demand->units.sm[unit];
        so_far.left[unit] -= asked * speed_of_use(blocks) * reached;
        so_far.asked[unit] += asked;
        so_far.warps[unit] += asked > kCounts * warps ? warps : 0;
    }
    so_far.used += slots_used(blocks);
}

}  // namespace overcast
