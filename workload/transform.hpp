// Workload → Workload: the same work as a program for N streams would issue it.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

namespace overcast {

/// `workload` must have its units set (find_units). The result has `configuration.streams` streams,
/// one host thread, and `unit` set on every operation that belongs to one (replicate: N times as
/// many units). Doubts are added as warnings.
/// Throws UsageError if the configuration does not fit (0 streams, 0 parts).
Workload transform(const Workload& workload, const Configuration& configuration);

}  // namespace overcast
