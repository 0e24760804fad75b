// What a warp does in one pass through the loop in which a kernel spends its time.
#pragma once

#include "core/kernel_code.hpp"
#include "tracer/code/instruction.hpp"

#include <cstddef>
#include <optional>

namespace overcast {

/// Instructions, of a pass that is kept: one that is longer is the same work over and over.
inline constexpr std::size_t kLongestPass = 512;

/// The name is left to the caller. The loop is the longest of those that hold no other, but one
/// with tensor instructions before all others; a kernel without a loop is its own. Assumes: that
/// loop takes most of the time. Absent where there is nothing to execute.
///
/// What a condition skips counts by the share of the warps that are assumed to go through it (all,
/// where there are tensor instructions: nobody reads from their code what they take): half
/// of them, between barriers one in five. A block waits at its barriers for its slowest warp, so
/// that its time is that of a pass which skips nothing.
///
/// Each instruction is issued when the scoreboards that it waits for are free and the cycles of the
/// one before have passed; where it sets a scoreboard, its result is there after the latency of its
/// unit (docs/model.md#machine-code).
///
/// The instructions themselves are kept of a loop that has no more than `kLongestPass` of them, all
/// executed in each pass, and neither barriers, tensor instructions nor local memory.
std::optional<KernelCode> kernel_pass(const MachineCode& code);

}  // namespace overcast
