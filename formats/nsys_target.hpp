// What an Nsight Systems export says of the machine and the session: GPUs, contexts, streams,
// program, versions.
#pragma once

#include "formats/nsys_source.hpp"

namespace overcast {

/// Fills the trace's descriptions, and adds warnings about what is not in the file. Call it when
/// the activities have been read: which GPUs and streams matter depends on them.
void read_nsys_target(NsysSource& source);

}  // namespace overcast
