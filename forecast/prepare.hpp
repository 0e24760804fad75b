// A trace made ready to be played: what the program asked for, its units, and the machine.
#pragma once

#include "core/trace.hpp"
#include "forecast/what_if.hpp"
#include "model/device_model.hpp"
#include "workload/extract.hpp"
#include "workload/units.hpp"

#include <cstdint>
#include <optional>

namespace overcast {

/// What CUDA_DEVICE_MAX_CONNECTIONS accepts at most.
inline constexpr std::uint32_t kMostConnections = 32;

struct PrepareOptions {
    ExtractOptions extract;
    UnitChoice unit;
    /// Absent: CUDA_DEVICE_MAX_CONNECTIONS of the recording, else the device model's.
    std::optional<std::uint32_t> max_connections;
    /// `--overhead NAME=2us`: replaces what the trace shows.
    OverheadParameters overhead_overrides;
    WhatIf what_if;
};

struct PreparedTrace {
    Extraction extraction;  ///< with units; overheads with their overrides
    DeviceModel model;      ///< with the gaps of the trace
};

/// `model`: of the GPU that the trace was recorded on.
/// Throws UsageError if an option does not fit the trace, Error if the trace cannot be predicted.
PreparedTrace prepare(const Trace& trace, const DeviceModel& model, const PrepareOptions& options);

}  // namespace overcast
