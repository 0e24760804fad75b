// How often the warps that go through a piece of code come by each of its instructions.
#pragma once

#include "tracer/code/instruction.hpp"

#include <span>
#include <vector>

namespace overcast {

/// What a piece of code is, and who goes where in it.
struct FlowAssumptions {
    bool is_loop = false;  ///< its last instruction goes back; otherwise it is a whole kernel
    double taken = 0.5;    ///< of the warps that come to a condition, those that skip what follows
};

/// One share per instruction, of those that come by the first one. Assumes: nobody leaves a loop
/// before its last instruction, so that who might do so by a condition never does; a whole kernel
/// may end anywhere. A branch back to before what follows it begins the next pass.
std::vector<double> shares_of(std::span<const Instruction> code, const FlowAssumptions& flow);

}  // namespace overcast
