// The recording itself, in the form in which predictions are given.
#pragma once

#include "core/timeline.hpp"
#include "core/trace.hpp"
#include "core/workload.hpp"
#include "workload/operation_builder.hpp"

#include <vector>

namespace overcast {

/// An entry per operation of `workload`, with the traced times; `zero` is the start of the region.
Timeline measured_timeline(const Trace& trace, const Workload& workload,
                           const std::vector<OperationOrigin>& origins, TraceTime zero);

}  // namespace overcast
