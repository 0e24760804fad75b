// What the SMs and the L2 send each other, as counters tell (docs/model.md#kernels-side-by-side).
#pragma once

#include "core/kernel_counters.hpp"
#include "model/unit_demand.hpp"

namespace overcast {

/// Share of what the L2 looks up that it finds.
double l2_hit_rate(const KernelCounters& counters);

/// That the L2 looks up for the kernel.
double requests_per_ns(const KernelCounters& counters, const UnitCapacities& capacities);

/// Requests of a warp that are on their way to the L2 together, by Little's law, of a kernel that
/// is `faster` than it was when it ran with `warps` warps. Less than 1: it does something else
/// meanwhile.
double requests_at_once(const KernelCounters& counters, const UnitCapacities& capacities,
                        double warps, double faster);

/// Whether each request to the L2 is for a sector by itself.
bool are_scattered(const KernelCounters& counters);

/// Bytes per ns, mean over a launch.
struct L2Traffic {
    double read = 0;
    double written = 0;  ///< at least
};

/// Replies say what is read, rep / `l2_replies_per_request` of whole lines. Nothing counts what is
/// written. Of all sectors that the L2 looks up, those are left that are neither read nor come from
/// the DRAM, and of what the DRAM moves, what is more than all that is read:
///   written >= max(0, sectors - read - dram, dram - read).
/// None where requests are for a sector each (of which the DRAM moves two), or where a rate is not
/// known (`dram_bytes_per_ns` at its peak; 0).
L2Traffic l2_traffic(const KernelCounters& counters, const UnitCapacities& capacities,
                     double dram_bytes_per_ns);

/// Share of what the L2 looks up for loads that it finds. Assumes: it takes what is written whether
/// or not it holds the line, so that all that it does not find is read.
double loads_hit_rate(const KernelCounters& counters, const L2Traffic& traffic);

/// For how many latencies of the L2 a line that is read and what is written with it take lines of
/// the L1 on their way: mean_load() of the reads, and of what is written the part
/// `kernel.l2_path.written` of that, w bytes for each that is read: m (1 + part w).
double line_latencies(const KernelCounters& counters, const UnitCapacities& capacities,
                      const L2Traffic& traffic);

/// Bytes of lines that are on their way to the L1s of the device, by Little's law, of a kernel that
/// is so much `faster` than it was when it was counted; 0 where each request is for a sector.
double held_in_l1(const KernelCounters& counters, const UnitCapacities& capacities,
                  const L2Traffic& traffic, double faster);

/// Share of the DRAM that is used by what is written. Assumes: all of it leaves the L2.
double dram_written(const L2Traffic& traffic, const KernelCounters& counters,
                    double dram_bytes_per_ns);

/// Share of what one of so many SMs can send to the L2: all that is written, and for as much as
/// that of what is read, the requests, too. 0 where that is not limited.
double share_of_way_to_l2(const L2Traffic& traffic, const UnitCapacities& capacities,
                          double multiprocessors);

}  // namespace overcast
