// Two programs that ran or were played, side by side.
#pragma once

#include "core/comparison.hpp"
#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <string>

namespace overcast {

struct ProgramToCompare {
    const Workload& workload;
    const Timeline& timeline;
    std::string label;  ///< of a column
    std::string title;
};

/// Operations are matched by what they are (kind, name of the kernel or call, bytes or blocks) and
/// by how many of their like were issued before them, whatever stream they are in. What one side
/// alone has is listed.
Comparison compare(const ProgramToCompare& left, const ProgramToCompare& right);

}  // namespace overcast
