// Which warp a scheduler issues from in each cycle, and how fast blocks come forward so
// (docs/model.md#the-schedulers-of-an-sm).
#pragma once

#include "core/kernel_pass.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overcast {

/// What a scheduler of compute capability 9.0 does; cycles unless said otherwise. Observed: with
/// own loops, by the probe `schedules`, and with pairs of `co_run_a` (docs/model.md).
struct SchedulerParameters {
    double loop_end = 10;  ///< from a branch back to the next instruction, while nobody issues
    /// Of what the fetch after a branch, or a load on its way out, comes forward in a cycle, the
    /// share in one in which a warp issues as it did in the one before.
    double share_in_a_row = 0.008;
    /// How often a warp that ends its pass gives way to the next of its kernel before older ones.
    double before_older = 0.5;
    double load_leaves = 15;      ///< until a load from global memory is on its way
    double xu_cycles = 8;         ///< of an instruction for the XU
    double xu_latency = 18;       ///< until its result is there, once it has begun
    double xu_ahead = 2;          ///< that an instruction may be issued before the XU is free
    double xu_second_slot = 0.7;  ///< how often it holds the slot of the next cycle, too
    double word_cycles = 4;       ///< of the L1, for 4 bytes per thread: it serves four schedulers
    double shared_latency = 26;   ///< of a read of shared memory, once it has begun
    double memory_queue = 10;     ///< instructions that wait for the L1
    double memory_second_slot = 0.5;  ///< as xu_second_slot
    /// A warp that could issue for so long and was not chosen comes before all others.
    double longest_wait = 32'768;
    double run_at_pipe = 5.5;  ///< instructions for a pipe that it then issues, nothing between
};

/// A kernel's pass, and how long its loads from global memory take.
struct WarpProgram {
    KernelPass pass;  ///< not empty
    double load_cycles = 0;

    bool operator==(const WarpProgram&) const = default;
};

/// A block of which a scheduler has `warps`.
struct ScheduledBlock {
    const WarpProgram* program = nullptr;
    std::uint32_t warps = 0;
};

/// Instructions per cycle of each block, the oldest first, on one of the four schedulers of an SM,
/// which are taken to be alike. A simulation of 12,000 cycles, in which the same is drawn by chance
/// each time.
std::vector<double> issue_rates(std::span<const ScheduledBlock> blocks,
                                const SchedulerParameters& parameters = {});

/// Cycles until the last of the warps of `starting`, which come while `others` are in their loops,
/// has issued all instructions of its program once; no more than a hundred times the longest wait.
double cycles_to_start(std::span<const ScheduledBlock> others, const ScheduledBlock& starting,
                       const SchedulerParameters& parameters = {});

}  // namespace overcast
