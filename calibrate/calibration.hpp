// `overcast calibrate`: measures this machine's GPU and writes a device model.
#pragma once

#include "calibrate/draft.hpp"
#include "calibrate/probe_runs.hpp"
#include "core/warning.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace overcast {

struct Calibration {
    DeviceModel model;
    DeviceModelNotes notes;
    std::string defaults_of;  ///< the set that lends what was not measured
    Warnings model_warnings;  ///< where that set belongs to another device
};

struct CalibrationOptions {
    bool quick = false;
    std::string driver;  ///< "580.159"
    std::string date;    ///< "2026-11-20"
    std::string command;
};

/// `step` of `steps` begins with the probe of that name.
using CalibrationProgress =
    std::function<void(std::size_t step, std::size_t steps, const std::string& probe)>;
/// A probe that did not run, or a fit that found nothing: its parameters keep their defaults.
using CalibrationComplaint = std::function<void(const std::string&)>;

/// Runs every probe. Failures are among the runs, and complained about.
ProbeRuns run_probes(bool quick, const ProbePrograms& programs, const CalibrationProgress& progress,
                     const CalibrationComplaint& complain);

/// Fits what ran. Throws Error where not even the device could be asked what it is.
Calibration fitted(const ProbeRuns& runs, const CalibrationOptions& options,
                   const CalibrationComplaint& complain);

struct ParameterCounts {
    std::size_t measured = 0;
    std::size_t defaults = 0;
};

/// How many parameters of the model were measured, and how many keep the value of `defaults_of`.
ParameterCounts count_parameters(const Calibration& made);

/// "NVIDIA H200" -> "nvidia-h200": the name of a device model.
std::string model_name(const std::string& device_name);

}  // namespace overcast
