// What a recording holds that the model does not know.
#pragma once

#include "core/trace.hpp"
#include "core/workload.hpp"
#include "workload/operation_builder.hpp"

#include <vector>

namespace overcast {

/// Adds a warning for each thing that is recognised but not modelled: graphs, managed memory, peer
/// copies, several contexts, several host threads, blocking launches.
void warn_of_recorded_doubts(const Trace& trace, const TracePart& part,
                             const std::vector<OperationOrigin>& origins, Workload& workload);

}  // namespace overcast
