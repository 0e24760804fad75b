// What a warp scheduler of an SM does (docs/model.md#the-schedulers-of-an-sm).
#pragma once

#include <compare>

namespace overcast {

/// `kernel.scheduler.*`; cycles unless said otherwise. All 0: not known.
struct SchedulerParameters {
    double loop_end = 0;  ///< from a branch back to the next instruction, while nobody issues
    /// Of what the fetch after a branch, or a load on its way out, comes forward in a cycle, the
    /// share in one in which a warp issues as it did in the one before.
    double share_in_a_row = 0;
    /// How often a warp that ends its pass gives way to the next of its kernel before older ones.
    double before_older = 0;
    double load_leaves = 0;     ///< until a load from global memory is on its way
    double xu_cycles = 0;       ///< of an instruction for the XU
    double xu_latency = 0;      ///< until its result is there, once it has begun
    double xu_ahead = 0;        ///< that an instruction may be issued before the XU is free
    double xu_second_slot = 0;  ///< how often it holds the slot of the next cycle, too
    double word_cycles = 0;     ///< of the L1, for 4 bytes per thread: it serves four schedulers
    double shared_latency = 0;  ///< of a read of shared memory, once it has begun
    double memory_queue = 0;    ///< instructions that wait for the L1
    double memory_second_slot = 0;  ///< as xu_second_slot
    /// A warp that could issue for so long and was not chosen comes before all others.
    double longest_wait = 0;
    /// How often a warp that goes on takes from others, one time after the other.
    double run_at_pipe = 0;
    double run_given_back = 0;  ///< so many times more for each instruction between that does not
    /// How often it comes behind another warp that goes on.
    double run_lost = 0;
    /// Of reads of shared memory that are to be served, cycles from which on what a block asks for
    /// as it starts waits for room behind them.
    double long_queue = 0;

    auto operator<=>(const SchedulerParameters&) const = default;
};

}  // namespace overcast
