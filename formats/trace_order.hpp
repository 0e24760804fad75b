// What is left to do once every event of a trace has been read.
#pragma once

#include "core/trace.hpp"

#include <cstddef>
#include <vector>

namespace overcast {

/// Adds `base` to every time of the trace.
void shift_times(Trace& trace, Duration base);

/// Sorts every list that has times by start. Of equal starts, a call, range or overhead that
/// contains others comes before them, and device work or a wait that ends earlier before one that
/// ends later; where the ends are equal too, the order is kept. This is the order in which a trace
/// is written.
void sort_by_start(Trace& trace);

/// Tells whether copies and memsets (indices into activities) were asynchronous from the name of
/// the API call with the same correlation id; where there is none they count as asynchronous. Call
/// it before sorting: it takes the indices as they were given.
void determine_asynchronous(Trace& trace, const std::vector<std::size_t>& activities);

}  // namespace overcast
