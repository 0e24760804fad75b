// What kernels ask of the GPU's units, for `overcast show`: by hardware counters, and by their
// code.
#pragma once

#include "core/trace.hpp"
#include "report/terminal_text.hpp"
#include "report/trace_statistics.hpp"

#include <string>

namespace overcast {

/// What hardware counters said of each kernel, in the order of the kernels' total times. "" where
/// none were read.
std::string counters_section(const Trace& trace, const TraceStatistics& statistics,
                             const TerminalStyle& style);

/// What a warp does in a pass through each kernel's loop. "" where no code was read.
std::string code_section(const Trace& trace, const TraceStatistics& statistics,
                         const TerminalStyle& style);

}  // namespace overcast
