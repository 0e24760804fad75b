// A program and when it ran, as the comparisons of this folder take it.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <cstddef>
#include <vector>

namespace overcast {

/// A program's operations and when they ran.
struct PlayedProgram {
    const Workload& workload;
    const Timeline& timeline;
};

/// Indices into the operations of a program.
using Places = std::vector<std::size_t>;

}  // namespace overcast
