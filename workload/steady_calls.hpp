// Calls that were held up by something that is not the program's.
#pragma once

#include "workload/issued_calls.hpp"

#include <cstddef>
#include <vector>

namespace overcast {

/// Of those that ask for the same: fewer do not show what is usual.
inline constexpr std::size_t kFewestCalls = 8;

/// A prediction stands for the median run. Among the calls that ask for the same (name, kind of
/// work, bytes or kernel), one that took a quarter longer than their median was held up by the
/// recorder (a buffer that is handed over, caches that it emptied) or by the operating system: it
/// is given the median. The first one that asks for a copy is cold in any run and keeps up to twice
/// the median. Requests with fewer than eight calls are left alone.
void steady_calls(std::vector<IssuedCall>& calls, const Trace& trace, const Joins& joins);

}  // namespace overcast
