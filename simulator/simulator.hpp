// Plays a Workload on the model of one GPU, without a GPU.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "model/device_model.hpp"
#include "simulator/rules.hpp"

namespace overcast {

/// Deterministic: the same workload and model give the same bytes. A workload that is `warm` is
/// played twice and the second pass is returned.
/// Throws Error if the workload can never end (a wait for an event that nobody records).
Timeline simulate(const Workload& workload, const DeviceModel& model, const Rules& rules = {});

}  // namespace overcast
