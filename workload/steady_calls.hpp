// Calls that were held up by something that is not the program's.
#pragma once

#include "workload/issued_calls.hpp"

#include <vector>

namespace overcast {

/// A prediction stands for the median run. Among the calls of one name that enqueue work, one that
/// took more than twice the median of its name was held up by the recorder (a buffer that is handed
/// over) or by the operating system: it is given the median. Names with fewer than eight calls are
/// left alone. Releases and allocations of memory come in two kinds, with new memory to map and
/// without: their own work is held against the third quartile.
void steady_calls(std::vector<IssuedCall>& calls);

}  // namespace overcast
