// What the kernels of a workload ask for, made once for each simulation.
#pragma once

#include "core/workload.hpp"
#include "model/kernel_model.hpp"
#include "simulator/rules.hpp"

#include <vector>

namespace overcast {

/// Of each kernel, by KernelIndex; behind them that of a copy or a memset inside the device.
std::vector<KernelDemand> kernel_demands(const Workload& workload, const DeviceModel& model,
                                         const Rules& rules);

}  // namespace overcast
