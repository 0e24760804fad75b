// How much longer each kernel takes beside others than alone: measured and predicted.
#pragma once

#include "validate/accuracy/played_program.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace overcast {

/// All launches of one kernel with one grid in one run.
struct KernelSlowdown {
    std::string kernel;  ///< its name, with grid and block where another one has the same name
    std::size_t launches = 0;
    // Mean time of a launch over that of its recording on one stream; 1 = as alone.
    double measured = 1;
    double predicted = 1;

    bool operator==(const KernelSlowdown&) const = default;
};

/// By the order of the first launch. `actual[i]` and `predicted[i]` are the same operation's places
/// in both programs. Kernels whose grid a transform cut have no time alone: they are left out.
std::vector<KernelSlowdown> kernel_slowdowns(const PlayedProgram& actual, const Places& actual_work,
                                             const PlayedProgram& predicted,
                                             const Places& predicted_work);

}  // namespace overcast
