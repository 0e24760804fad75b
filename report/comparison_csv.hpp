// A comparison as a table for spreadsheets: one line for each operation.
#pragma once

#include "core/comparison.hpp"

#include <string>

namespace overcast {

/// Fields of a side that lacks the operation are empty.
std::string comparison_csv(const Comparison& comparison);

}  // namespace overcast
