// A comparison for programs (docs/comparison-formats.md).
#pragma once

#include "core/comparison.hpp"

#include <string>

namespace overcast {

std::string comparison_json(const Comparison& comparison);

}  // namespace overcast
