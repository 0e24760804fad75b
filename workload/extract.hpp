// Trace → Workload: what the program asked for, without when the device did it.
#pragma once

#include "core/host_latencies.hpp"
#include "core/overhead_parameters.hpp"
#include "core/timeline.hpp"
#include "core/trace.hpp"
#include "core/tracing_cost.hpp"
#include "core/workload.hpp"

#include <optional>
#include <string>

namespace overcast {

/// Which part of a trace is meant. Absent: the only one, or the one with the most device work (said
/// in a warning).
struct ExtractOptions {
    std::optional<DeviceId> device;
    std::optional<ProcessId> process;
    /// "" = the whole recording; "profiler-api"; "nvtx:NAME".
    std::string range;
    /// Kernels as if no hardware counters had been read.
    bool ignore_counters = false;
    /// Kernels as if their machine code had not been read.
    bool ignore_code = false;
    /// Each call keeps the time that it took in this very run, first-call costs included, instead
    /// of what its like usually take: to play the recording itself once more.
    bool as_recorded = false;
    /// For a prediction of a run that is recorded, too: a call keeps what held it up, since the
    /// recorder (its buffers, caches that start cold) holds up those of that run as well.
    bool keep_held_up = false;
};

/// A trace taken apart.
struct Extraction {
    Workload workload;
    Timeline measured;  ///< the recording itself, as a Timeline of `workload`; traced times
    OverheadParameters overheads;
    HostLatencies latencies;
    TraceTime region_start;  ///< zero of the measured timeline
};

/// Takes the region (first enqueuing call to last synchronisation) out of `trace`. Call costs and
/// host time between calls are given as they would be untraced.
/// Throws Error if the trace holds no device work in the chosen part.
Extraction extract(const Trace& trace, const TracingCost& tracing_cost,
                   const ExtractOptions& options);

}  // namespace overcast
