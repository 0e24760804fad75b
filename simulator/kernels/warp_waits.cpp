// What blocks of an SM wait for before a unit of it is used up: issue slots, turns of warps that
// have their next instruction ready, each other at barriers
// (docs/model.md#kernels-side-by-side).
#include "model/kernel_concurrency.hpp"
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr double kAlwaysReady = 1.3;  // of the slots, asked for; Assumes: somebody has none
constexpr double kLongQueue = 1.5;    // of shared memory, asked for; Assumes: it never runs empty
constexpr double kForSlots = 0.95;    // of what a block asks of an SM; Assumes: it is about these
constexpr double kLeastLeft = 0.05;   // of the slots: some is always left
constexpr double kFelt = 1e-3;        // of a block's time; Assumes: less decides nothing
constexpr double kMany = 1e12;        // times what is not 0: more than any limit
constexpr double kNothing = 1e-300;   // beside 0 compilers choose a branch

/// Of the slots that a kernel uses, those in runs: all or none. Without a branch to guess wrong.
double in_runs(const UnitDemand& units, double used) {
    return std::min(used, units.rest_of_run * kMany);
}

/// Whether the warps hold their scheduler for a burst each. Who needs a pipe most waits for it
/// between two instructions.
bool issues_in_bursts(const ResidentBlocks& blocks) {
    const auto& units = blocks.demand->units;
    return units.burst > kShortBurst && units.sm[0] >= kForSlots * blocks.demand->load_per_block;
}

/// Instructions that the warps of a scheduler issue in a row where younger ones of other kernels
/// hold it for a burst each: with w of them sqrt(w) bursts, since older ones are seldom ready just
/// when one ends.
double turn_of_younger(const SmGroup& group, const ResidentBlocks& blocks) {
    double longest = 1;
    double warps = 0;
    const auto* const end = group.residents.data() + group.residents.size();
    for (const auto* other = &blocks + 1; other != end; ++other) {
        if (other->kernel != blocks.kernel && issues_in_bursts(*other)) {
            longest = std::max(longest, other->demand->units.burst);
            warps += warps_per_scheduler(*other->demand, other->per_sm);
        }
    }
    return longest * std::sqrt(std::max(1.0, warps));
}

/// How often so many of the blocks would fill the XU: of those that ask for more than all special
/// functions the others wait in their queue. At least 1.
double in_xu_queue(const ResidentBlocks& blocks, double count) {
    return std::max(1.0, count * blocks.demand->units.sm[kXu]);
}

/// Whether so many of the blocks always have somebody ready for a slot, or have that many
/// instructions in the queue to shared memory that it lasts while a scheduler is with others.
bool outlast_a_turn(const ResidentBlocks& blocks, double count) {
    const auto& units = blocks.demand->units;
    const auto shared = std::max(units.sm[static_cast<std::size_t>(SmUnit::lsu_pipe)],
                                 units.sm[static_cast<std::size_t>(SmUnit::l1)]);
    return count * units.sm[0] > kAlwaysReady * in_xu_queue(blocks, count) ||
           count * shared > kLongQueue;
}

}  // namespace

/// Where no unit is used up: what is left is the wait for slots that older ones use. All that is to
/// be known of the residents is looked up at the same time.
SmSharing::Seen SmSharing::wait_for_slots(SmGroup& group) {
    Seen seen;
    double used = 0;
    const auto first_kernel = group.residents.front().kernel;
    const auto look_at = [&](const ResidentBlocks& resident) {
        const auto& demand = *resident.demand;
        seen.load += demand.load_per_block * resident.per_sm;
        seen.l2_path += std::max(demand.units.l2_path, demand.units.l2_path_sent) * resident.per_sm;
        seen.held_in_l1 += demand.units.held_in_l1 * resident.per_sm;
        seen.traits |= demand.traits;
        seen.several = seen.several || resident.kernel != first_kernel;
    };
    const auto use = [&](ResidentBlocks& resident, double speed) {
        resident.speed_on_sm = speed;
        const auto& units = resident.demand->units;
        const auto slots = slots_used(resident);
        const auto of_runs = in_runs(units, slots);
        used += slots;
        seen.runs.slots += of_runs;
        seen.runs.cycles += of_runs * units.rest_of_run;
        look_at(resident);
    };
    auto resident = group.residents.begin();
    const auto unsettled = resident + group.settled;
    const auto end = group.residents.end();
    for (; resident != unsettled; ++resident) {
        use(*resident, resident->speed_for_slots);
    }
    for (; resident != end && seen.load <= 1; ++resident) {
        const auto speed = wait_for_slots_ ? speed_between(used, resident->demand->pace) : 1;
        resident->speed_for_slots = speed;
        use(*resident, speed);
    }
    group.settled = static_cast<std::uint32_t>(resident - group.residents.begin());
    std::for_each(resident, end, look_at);  // whose speed is another matter
    return seen;
}

/// Blocks whose warps wait for each other at barriers come there later for every other block that
/// keeps their schedulers busy, whichever is older. `meet`: some of them do so.
void SmSharing::find_barrier_speeds(const SmGroup& group, bool meet) {
    barrier_speeds_.assign(group.residents.size(), 1.0);
    if (!meet) {
        return;
    }
    const auto busy = [&](const ResidentBlocks& blocks) {
        return blocks.demand->units.sm[0] * slot_share_;
    };
    double count = 0;
    double load = 0;
    for (const auto& resident : group.residents) {
        count += resident.per_sm;
        load += resident.per_sm * busy(resident);
    }
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        const auto& resident = group.residents[i];
        const auto own = resident.demand->units.busy_between_barriers;
        if (own > 0 && count > 1) {
            const auto of_others = std::max(0.0, load - busy(resident));
            const auto queue = blocks_at_scheduler(of_others / (count - 1), count - 1);
            barrier_speeds_[i] = 1 / slowed_at_barriers(own, queue, of_others);
        }
    }
}

void SmSharing::slow_at_barriers(SmGroup& group) {
    find_barrier_speeds(group, true);
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        auto& speed = group.residents[i].speed_on_sm;
        speed = std::min(speed, barrier_speeds_[i]);
    }
}

/// How fast blocks run beside younger ones whose warps hold the scheduler, one after the other,
/// each for a burst, together for B instructions. Those that use the share U of the issue slots
/// with n warps per scheduler get, between two turns of these, what has become ready meanwhile and
/// what follows until a slot is free:
///   m = min(n, U B) + U / (1 - U)   instructions in B + m cycles,
/// and a warp that alone issues every c cycles waits for half a turn each time, c / (c + B / 2),
/// unless its kernel itself uses the slots meanwhile.
/// Whose own warps ask for more slots than there are or fill the queue to shared memory does not
/// notice.
double SmSharing::slowed_by_bursts(const SmGroup& group, const ResidentBlocks& blocks) const {
    if (take_turns_ || !gives_way(blocks)) {
        return 1;
    }
    const auto count = static_cast<double>(blocks_of_kernel(group, blocks));
    const auto turn = turn_of_younger(group, blocks);
    if (turn <= kShortBurst || outlast_a_turn(blocks, count)) {
        return 1;
    }
    const auto& units = blocks.demand->units;
    const auto load = std::max(1.0, count * blocks.demand->load_per_block);
    const auto used = std::min(count * units.sm[0] / load, 0.99) * slot_share_;
    const auto warps = warps_per_scheduler(*blocks.demand, count) / in_xu_queue(blocks, count);
    const auto served = std::min(warps, used * turn) + used / (1 - used);
    const auto late = units.interval > 0 ? turn / 2 / (units.interval + turn / 2) : 0;
    return std::min(1 - late * (1 - used), served / (turn + served) / used);
}

/// What the warps of all kernels issue in runs.
SmSharing::Runs SmSharing::find_runs(const SmGroup& group) const {
    Runs all;
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        const auto of_runs = in_runs(units, slots_used(resident));
        all.slots += of_runs;
        all.cycles += of_runs * units.rest_of_run;
    }
    return all;
}

void SmSharing::add_slots_by_kernel(const SmGroup& group) {
    for (const auto& resident : group.residents) {
        if (resident.kernel >= use_of_.size()) {
            use_of_.resize(resident.kernel + 1);
        }
        use_of_[resident.kernel] = 0;
    }
    for (const auto& resident : group.residents) {
        use_of_[resident.kernel] += slots_used(resident);
    }
}

/// Beside warps whose load has come and that issue one instruction after the other until one waits
/// for its last: whatever comes meanwhile waits for the rest of the run, whichever is older.
void SmSharing::wait_for_runs(SmGroup& group, const Runs& all) {
    if (!group.one_set_each) {
        add_slots_by_kernel(group);
    }
    for (auto& resident : group.residents) {
        const auto used = group.one_set_each ? slots_used(resident) : use_of_[resident.kernel];
        if (gives_way(resident)) {
            resident.speed_on_sm *= speed_beside_runs(*resident.demand, used, all);
        }
    }
}

/// Where others issue the shares u of the slots, and a block's own kernel u_0 (`used`), each of its
/// instructions waits
///   sum of u r / (1 - u_0)   cycles,   r = UnitDemand::rest_of_run,
/// but no longer than for what they leave of the slots.
double SmSharing::speed_beside_runs(const KernelDemand& demand, double used, const Runs& all) {
    const auto own = in_runs(demand.units, used);
    const auto others = all.slots - own;
    const auto wait = all.cycles - own * demand.units.rest_of_run;
    const auto of_own = std::max(kLeastLeft, 1 - used);
    const auto left = std::max(kLeastLeft, 1 - others);
    // Relative to the time between two instructions alone, wait * pace / of_own or others / left,
    // whichever is less; without branches to guess wrong.
    const auto asked = wait * demand.pace;
    const auto late = std::min(asked * left, others * of_own);
    const auto felt = std::max(kNothing, (asked - kFelt * of_own) * kMany);
    const auto alone = of_own * left;
    return alone / (alone + std::min(late, felt));
}

/// How fast blocks are that wait for slots, of which older ones use a share.
double SmSharing::speed_for_slots(const ResidentBlocks& blocks, double used) const {
    return wait_for_slots_ ? speed_between(used, blocks.demand->pace) : 1;
}

}  // namespace overcast
