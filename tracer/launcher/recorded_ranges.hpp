// `--range`: keeps the part of a recording that was asked for.
#pragma once

#include "core/trace.hpp"

#include <string>

namespace overcast {

/// Throws UsageError unless `range` is "all", "profiler-api" or "nvtx:NAME".
void check_range(const std::string& range);

/// Finds the stretches that `range` names, notes them in the trace, and drops the work that was
/// asked for outside them. Work belongs where its call was made, also if the device did it later.
/// Streams, contexts, devices and memory allocated before stay. A range that never occurs leaves no
/// work, and a warning.
void keep_range(Trace& trace, const std::string& range);

}  // namespace overcast
