// The end of a recording that was cut off.
#pragma once

#include "tracer/launcher/spool_records.hpp"

namespace overcast {

/// Adds to `spooled` what `snapshot` has beyond it: finished records that CUPTI had not handed out
/// yet at the last flush. What both have stays as `spooled` has it; what has impossible times (its
/// writer was interrupted) is left out.
void add_unfinished(Spooled& spooled, const Spooled& snapshot);

}  // namespace overcast
