// Blocks whose warps never wait but at the end of their loop, and those beside them
// (docs/model.md#kernels-side-by-side).
#include "model/kernel_concurrency.hpp"
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr double kFollowEachOther = 2;  // warps of a scheduler
constexpr double kMost = 0.99;          // of what a block asks of an SM

/// Of the issue slots or the pipe of arithmetic that blocks could fill, what they ask for; 0: it is
/// something else that they need most. A pipe of arithmetic has no queue in which their next
/// instructions could wait.
double asked_of_arithmetic(const ResidentBlocks& blocks) {
    const auto& demand = *blocks.demand;
    const auto& units = demand.units.sm;
    const auto* const others = units.begin() + static_cast<std::ptrdiff_t>(SmUnit::xu_pipe);
    const auto most = *std::max_element(units.begin(), others);
    return most < kMost * demand.load_per_block ? 0 : blocks.per_sm * demand.load_per_block;
}

/// Cycles of a warp alone from one wait for a load to the next, or from one request to the next
/// where these wait for room in a queue; 0: it waits for none, or that is not known.
double time_of_run(const KernelDemand& demand) {
    if (demand.code == nullptr || demand.pace <= 0) {
        return 0;
    }
    const auto& code = *demand.code;
    double waits = code.memory_waits;
    if ((demand.traits & kFillsQueue) != 0) {
        waits = static_cast<double>(
            std::ranges::count(code.pass, PassUnit::global, &PassInstruction::unit));
    }
    return waits > 0 ? code.instructions / demand.pace / waits : 0;
}

}  // namespace

/// What is left to older blocks than some whose warps never wait, where they could fill the issue
/// slots or a pipe of arithmetic and so have their next instructions ready, too.
double SmSharing::left_to_older(const SmGroup& group) const {
    double load = 0;
    double older = 0;
    for (const auto& blocks : group.residents) {
        if (gives_way(blocks)) {
            load += asked_of_arithmetic(blocks);
        } else {
            older = load;
        }
    }
    return older_beside_ready_ * std::clamp(older - 1, 0.0, 1.0);
}

/// How often a warp that never waits is done on a scheduler, per ns.
double SmSharing::ready_ends(const SmGroup& group, const ResidentBlocks& blocks) const {
    double ends = 0;
    for (const auto& other : group.residents) {
        if (other.kernel != blocks.kernel && !gives_way(other)) {
            ends += warps_per_scheduler(*other.demand, other.per_sm) * other.speed_on_sm /
                    block_times_[other.kernel];
        }
    }
    return ends;
}

/// How fast blocks get on where all issue slots go to warps that never wait: the oldest of those
/// that some is left to, and whoever waits for loads by a run of each warp, from one wait to the
/// next, as one of the others is done.
double SmSharing::speed_among_ready(const SmGroup& group, const ResidentBlocks& blocks) const {
    if (const auto asked = asked_of_arithmetic(blocks); asked > 0) {
        double left = left_to_older(group);
        for (const auto* older = group.residents.data(); older != &blocks; ++older) {
            left -= gives_way(*older) ? asked_of_arithmetic(*older) : 0;
        }
        return std::clamp(left / asked, kLeastSpeed, 1.0);
    }
    const auto run = cycles_per_ns_ > 0 ? time_of_run(*blocks.demand) / cycles_per_ns_ : 0;
    return std::clamp(run > 0 ? run * ready_ends(group, blocks) : 0, kLeastSpeed, 1.0);
}

/// How fast blocks run beside warps that never wait but at the end of their loop. From as many per
/// scheduler on as cycles per instruction one alone takes, the others go on while one is at that
/// end (speed_among_ready). Fewer leave the share s = (c - 1) / c of the cycles, and each run of
/// instructions of others (UnitDemand::rest_of_run) waits until the next loop ends, for e / s
/// cycles of each (e = `kernel.loop_end_cycles`).
double SmSharing::speed_beside_ready(const SmGroup& group, const ResidentBlocks& blocks) const {
    const auto ready = ready_beside(group, blocks);
    if (ready.warps == 0) {
        return 1;
    }
    if (ready.fill_slots()) {
        return speed_among_ready(group, blocks);
    }
    const auto& units = blocks.demand->units;
    const auto between = units.interval * (1 + units.rest_of_run);
    const auto left = std::max(1 - 1 / ready.cycles, kLeastSpeed);  // of the slots
    return between > 0 ? between / (between + loop_end_cycles_ * ready.warps / left) : 1;
}

/// Warps of other kernels that never wait, of those to which the blocks give way.
SmSharing::Ready SmSharing::ready_beside(const SmGroup& group, const ResidentBlocks& blocks) const {
    Ready ready;
    if (!gives_way(blocks)) {
        return ready;
    }
    for (const auto& other : group.residents) {
        if (other.kernel != blocks.kernel && !gives_way(other)) {
            ready.warps += warps_per_scheduler(*other.demand, other.per_sm);
            ready.cycles = std::max(ready.cycles, other.demand->units.interval);
        }
    }
    return ready;
}

/// Of its speed alone, what nobody takes from who waits for loads.
double SmSharing::left_to_loads(const SmGroup& group, const ResidentBlocks& blocks) const {
    const bool loads = blocks.demand->units.l2_waits > kWaitsOften;
    return some_are_ready_ && loads && ready_beside(group, blocks).fill_slots()
               ? speed_among_ready(group, blocks)
               : 0;
}

/// Of what can be reached of the issue slots, so many of which are used: what blocks find while few
/// warps that never wait are at the ends of their loops. Nothing of that is out of reach.
double SmSharing::slots_at_loop_ends(const SmGroup& group, const ResidentBlocks& blocks,
                                     double used) const {
    if (!some_are_ready_) {
        return 0;
    }
    const auto ready = ready_beside(group, blocks);
    const bool few = ready.warps > 0 && !ready.fill_slots();
    return few ? std::max(0.0, 1 - used) * unit_peaks_[kIssueSlots] : 0;
}

void SmSharing::wait_for_ready(SmGroup& group) const {
    for (auto& resident : group.residents) {
        resident.speed_on_sm = std::min(resident.speed_on_sm, speed_beside_ready(group, resident));
    }
}

/// Whether the kernel has no more than one warp on each scheduler, all the time.
bool SmSharing::is_single(const ResidentBlocks& blocks) const {
    const auto& demand = *blocks.demand;
    const auto of_sm = std::ceil(static_cast<double>(demand.blocks) / multiprocessors_);
    return warps_per_scheduler(demand, std::min<double>(demand.blocks_per_sm, of_sm)) <
           kFollowEachOther;
}

/// Whether blocks whose warps never wait, of that kernel, take turns with others like them: one
/// warp on a scheduler is never chosen as two that follow each other are.
bool SmSharing::takes_turns(const SmGroup& group, const ResidentBlocks& blocks) const {
    return blocks.demand->units.always_ready &&
           warps_per_scheduler(*blocks.demand, blocks_of_kernel(group, blocks)) >= kFollowEachOther;
}

/// Whether another kernel that does has come to the SM after that at `place`.
bool SmSharing::has_younger_rival(const SmGroup& group, std::size_t place) const {
    return std::any_of(group.residents.begin() + static_cast<std::ptrdiff_t>(place),
                       group.residents.end(), [&](const ResidentBlocks& other) {
                           return takes_turns(group, other) &&
                                  other.kernel != group.residents[place].kernel;
                       });
}

/// Of so much of the issue slots, what the kernel at `place`, whose warps never wait, leaves to
/// younger ones like it.
double SmSharing::left_to_rivals(const SmGroup& group, std::size_t place, double slots) const {
    const auto& blocks = group.residents[place];
    if (!has_younger_rival(group, place)) {
        return 0;
    }
    if (takes_turns(group, blocks)) {
        return (1 - first_of_ready_) * slots;
    }
    const auto asked = blocks_of_kernel(group, blocks) * blocks.demand->units.sm[0];
    return is_single(blocks) ? std::max(0.0, slots - single_of_ready_ * asked) : 0;
}

/// Those whose warps never wait come before all others, the oldest kernel of them first, but for
/// what is left to older blocks and to younger ones like them.
void SmSharing::serve_ready(SmGroup& group, Served& so_far) {
    const auto older = some_are_ready_ ? left_to_older(group) : 0;
    so_far.left[0] -= older;
    double for_younger = 0;
    const ResidentBlocks* last = nullptr;
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        const auto& blocks = group.residents[i];
        if (gives_way(blocks)) {
            continue;
        }
        if (last == nullptr || last->kernel != blocks.kernel) {
            last = &blocks;
            so_far.left[0] += for_younger;
            for_younger = left_to_rivals(group, i, most_for(1, 0, so_far.left[0]));
            so_far.left[0] -= for_younger;
        }
        serve(group, i, so_far);
    }
    so_far.left[0] += for_younger + older;
}

}  // namespace overcast
