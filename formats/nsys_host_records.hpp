// What the host did, by an Nsight Systems export: calls, waits, events, ranges, memory, overheads.
#pragma once

#include "formats/nsys_source.hpp"

namespace overcast {

/// Appends the file's records of the host to the trace, in the order of the file, and the warnings
/// about what is not in it.
void read_nsys_host_records(NsysSource& source);

}  // namespace overcast
