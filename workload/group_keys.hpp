// What a recording says about which operations belong together.
#pragma once

#include "core/workload.hpp"
#include "workload/repetition.hpp"
#include "workload/signatures.hpp"

#include <span>
#include <vector>

namespace overcast {

/// Per work item: the innermost NVTX range around it, by name, and the device memory it touches.
std::vector<GroupKeys> group_keys(const Workload& workload, std::span<const WorkItem> items);

}  // namespace overcast
