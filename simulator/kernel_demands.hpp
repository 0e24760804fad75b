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

/// Whether the program's memory is more than what stays in the L2. Assumes so where it is not
/// known.
bool outgrows_l2(const Workload& workload, const DeviceModel& model);

}  // namespace overcast
