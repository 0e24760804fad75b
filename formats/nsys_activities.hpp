// Kernels, copies and memsets of an Nsight Systems export.
#pragma once

#include "formats/nsys_source.hpp"

#include <cstddef>
#include <vector>

namespace overcast {

/// Appends the file's device activities to the trace, in the order of the file, and the warnings
/// about those that cannot be read. Returns which of them (indices) are copies and memsets: whether
/// they were asynchronous is for the calls to say.
std::vector<std::size_t> read_nsys_activities(NsysSource& source);

}  // namespace overcast
