// How much faster the blocks of a kernel are that find an SM, or the units of the device, idle
// where those that its counters saw made each other wait (docs/model.md#demands).
#pragma once

#include "model/unit_demand.hpp"

#include <optional>

namespace overcast {

/// Of a scheduler's warps, at each issued instruction.
struct Schedule {
    double around = 0;  ///< all of them: cycles of warps per instruction
    double alone = 0;   ///< less those that would not wait if the warp had the SM to itself
};

/// Absent where the counters do not say it.
std::optional<Schedule> schedule(const KernelCounters& counters);

/// f of unit_demand(): of a block that shares its SM with no other.
double speed_up_alone(const KernelCounters& counters, double blocks_per_sm, double at_once,
                      const UnitCapacities& capacities);

/// Of the warps, those that wait for room in the queue to global memory; 0: it is not full.
double waiting_for_queue(const KernelCounters& counters, const UnitCapacities& capacities);

/// How much faster a block is that finds the queue to global memory empty: of its warps, the share
/// 1 / this has room there. 1: it is not full, or one block alone fills it.
double speed_up_in_queue(double waiting, double blocks_per_sm);

/// The share of its time for which a block alone keeps its schedulers busy, and how much longer it
/// took beside those that were there.
struct BetweenBarriers {
    double busy = 0;  ///< 0: its warps hardly wait at barriers
    double slowed = 1;
};

BetweenBarriers between_barriers(const KernelCounters& counters, double blocks_per_sm);

/// UnitDemand::l2_waits of a kernel that is `faster` than it was when it ran with `warps` warps.
double l2_waits(const KernelCounters& counters, const UnitCapacities& capacities, double warps,
                double faster);

/// Where a block finds the units of the device idle that it and the others, `warps` warps in all,
/// had made slow: while all of them were there, which used these units `fuller` times as much as
/// the counters say in the mean. `written`: of the peak of the DRAM. `by_code`: no faster than
/// that, see most_speed_up().
double speed_up_on_idle_device(const KernelCounters& counters, const UnitCapacities& capacities,
                               double warps, double fuller, double written, double by_code);

}  // namespace overcast
