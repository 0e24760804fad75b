// What a recorded call costs when a transform makes it again: for a further part of its unit, or in
// a replica.
#pragma once

#include "core/workload.hpp"

#include <vector>

namespace overcast {

/// For each operation of `recorded` at most its own call cost, and at most the median of the calls
/// that ask for the same (`work_items`). Only one of them was the program's first,
/// which takes several times as long: what is made again finds the driver warm.
std::vector<Duration> costs_when_repeated(const Workload& recorded);

}  // namespace overcast
