// What `predict` and `show` have in common: which part of a trace (--range, --device, --process),
// its units (--unit), and the device model (--device-model).
#pragma once

#include "cli/command_line.hpp"
#include "core/trace.hpp"
#include "core/warning.hpp"
#include "model/device_model.hpp"
#include "workload/extract.hpp"
#include "workload/units.hpp"

namespace overcast {

ExtractOptions extract_options(const CommandLine& line);
UnitChoice unit_choice(const CommandLine& line);

/// --device-model, else the set for the trace's device, else a generic one with a warning.
DeviceModel device_model_for(const CommandLine& line, const Trace& trace, Warnings& warnings);

/// The GPU of the trace that is meant; without a name where it was not recorded.
DeviceProperties recorded_device(const CommandLine& line, const Trace& trace);

/// The set for that GPU, whatever --device-model says, else a generic one with a warning.
DeviceModel model_of_recorded_device(const CommandLine& line, const Trace& trace,
                                     Warnings& warnings);

}  // namespace overcast
