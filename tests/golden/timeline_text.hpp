// A timeline as text that a person can read and a test can compare.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <string>

namespace overcast::test {

/// One line per operation that the device did, in order of start:
///
///      start       end  stream  channel  what            waited for
///       10.0     120.5       0       10  H2D 1.0 MiB     copy engine
std::string timeline_text(const Workload& workload, const Timeline& timeline);

}  // namespace overcast::test
