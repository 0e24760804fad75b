// N streams each run the whole recorded work; and the recorded program itself.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

namespace overcast {

/// depth and recorded: replica by replica. breadth: each operation for all replicas in turn.
/// Recorded work on several streams gets as many in each replica.
Workload replicate(const Workload& workload, const Configuration& configuration);

/// Streams, host threads and issue order as they were; only the waits may be deferred.
Workload as_recorded(const Workload& workload, const Configuration& configuration);

}  // namespace overcast
