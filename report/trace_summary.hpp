// `overcast show`: what a trace holds, for people.
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/trace.hpp"
#include "core/warning.hpp"
#include "report/terminal_style.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace overcast {

/// The part of the trace that would be predicted.
struct RegionSummary {
    Duration recorded_wall{};      ///< tracing included
    Duration setup{};              ///< before it
    std::uint64_t operations = 0;  ///< copies, memsets and kernels
    std::uint32_t units = 0;
    OverheadParameters overheads;
    std::string device_model;
    /// Of the device model (trans_ovlp_th); absent: copies of one direction never run side by side.
    std::optional<Duration> transfer_overlap_threshold;
};

/// `region` is absent where the trace holds nothing to predict. `warnings` are those of the trace,
/// of the region and of the device model.
std::string trace_summary(const Trace& trace, const std::optional<RegionSummary>& region,
                          const Warnings& warnings, const TerminalStyle& style);

}  // namespace overcast
