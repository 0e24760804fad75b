// The same-stream gaps of the seed systems, as a trace shows them (docs/model.md, in-stream gaps).
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/trace.hpp"
#include "core/workload.hpp"
#include "workload/operation_builder.hpp"

#include <vector>

namespace overcast {

/// Gaps from the end of one operation to the start of the next in its stream. Counted only where
/// the later call had returned before the earlier operation ended (otherwise the host made the gap)
/// and nothing else was waited for. `recorder`, its share of each kind of gap, is taken out.
OverheadParameters same_stream_gaps(const Trace& trace, const Workload& workload,
                                    const std::vector<OperationOrigin>& origins,
                                    const std::array<Duration, kGapKinds>& recorder);

}  // namespace overcast
