// The part of a trace that a prediction is about: one process, one device, one stretch of time.
#pragma once

#include "core/trace.hpp"
#include "workload/extract.hpp"

#include <optional>

namespace overcast {

struct TracePart {
    /// Absent where the trace holds no API calls.
    std::optional<ProcessId> process;
    DeviceId device{};
    TraceTime begin = TraceTime::min();
    TraceTime end = TraceTime::max();  ///< exclusive
    /// The program itself says where it begins, by an NVTX range: what its host does before the
    /// first call is a part of it.
    bool begins_on_host = false;
    /// One pass of several was recorded.
    bool warm = false;
    bool several_processes = false;
};

/// Throws UsageError if the options name something that the trace does not hold, Error if the trace
/// holds no device work at all.
TracePart choose_part(const Trace& trace, const ExtractOptions& options, Warnings& warnings);

}  // namespace overcast
