// The calibrated parameters of one GPU, each with where it came from.
#pragma once

#include "core/device.hpp"
#include "core/overhead_parameters.hpp"
#include "core/tracing_cost.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

struct DeviceModel {
    std::string name;                       ///< "nvidia-h200"
    std::vector<std::string> device_names;  ///< as the driver reports them: "NVIDIA H200"
    DeviceProperties device;
    TracingCost tracing_cost;
};

/// A name ("nvidia-h200": looked up in the installed model/devices/) or a path.
/// Throws ModelFileError: file, parameter, reason.
DeviceModel load_device_model(std::string_view name_or_path);

/// The installed parameter set for a device of this name; absent where there is none.
std::optional<DeviceModel> find_device_model(std::string_view device_name);

/// Parameters for a GPU without a measured set: limits from `device`, the rest from the set that is
/// installed, with one warning in `warnings`.
DeviceModel generic_device_model(const DeviceProperties& device, Warnings& warnings);

/// Replaces the in-stream gaps of the model by those of a trace (or of `--overhead`).
void apply_overheads(DeviceModel& model, const OverheadParameters& overheads);

}  // namespace overcast
