// What makes two operations the same work: kind, amount and memory, not address, stream or time.
#pragma once

#include "core/workload.hpp"

#include <cstdint>
#include <vector>

namespace overcast {

/// A step that puts work on the device, as the search for repetition sees it.
struct WorkItem {
    std::uint32_t operation = 0;  ///< index into Workload::operations
    std::uint32_t symbol = 0;     ///< equal symbols = the same work; counts up from 0
    std::uint32_t family = 0;     ///< the same, whatever its size (bytes, grid)
};

/// The enqueuing operations in issue order.
std::vector<WorkItem> work_items(const Workload& workload);

}  // namespace overcast
