// Which warp a scheduler issues from in each cycle, and how fast blocks come forward so
// (docs/model.md#the-schedulers-of-an-sm).
#pragma once

#include "core/kernel_pass.hpp"
#include "model/scheduler_parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace overcast {

/// A kernel's pass, and how long its loads from global memory take.
struct WarpProgram {
    KernelPass pass;  ///< not empty
    double load_cycles = 0;
    bool begins = false;  ///< before its loop; what it asks for comes by the queue of the L1

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
                                const SchedulerParameters& parameters);

/// Cycles until the last warp of the block at `once`, which come to its program while the other
/// blocks are in their loops, has issued all instructions of it once; no more than a hundred times
/// the longest wait.
double cycles_to_run(std::span<const ScheduledBlock> blocks, std::size_t once,
                     const SchedulerParameters& parameters);

}  // namespace overcast
