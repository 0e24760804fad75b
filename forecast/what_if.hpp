// "What if": a recorded program and its machine, changed as asked for, before anything is played.
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/units.hpp"
#include "model/device_model.hpp"
#include "workload/extract.hpp"

#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// Kernels whose name holds `name` take `factor` times as long.
struct KernelScale {
    std::string name;
    double factor = 1;
};

struct WhatIf {
    bool pinned = false;  ///< all pageable memory is pinned
    bool graph = false;   ///< what is issued between two waits is one CUDA graph
    std::vector<KernelScale> kernel_scales;
    std::optional<Bandwidth> h2d_bandwidth;  ///< of large pinned copies; small ones in proportion
    std::optional<Bandwidth> d2h_bandwidth;
    /// Another GPU than the recorded one: its copies, host and SM limits. Kernels keep the recorded
    /// durations.
    std::optional<DeviceModel> other_device;
};

/// Changes `extraction`, recorded on `model` (which has its gaps), and `model` itself. What is
/// doubtful about it becomes a warning of the workload. Throws UsageError where a kernel that is to
/// be scaled is not there.
void apply(const WhatIf& what_if, Extraction& extraction, DeviceModel& model);

/// The work issued as CUDA graphs (workload/changes.hpp) at the prices of `model`, which gets the
/// gap between two kernels of a graph. Gives the number of calls that are gone; warns in the
/// workload where the model has no such prices.
std::uint64_t issue_as_graphs(Workload& workload, DeviceModel& model);

}  // namespace overcast
