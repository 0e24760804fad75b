// A comparison for programs (docs/comparison-formats.md).
#pragma once

#include "core/comparison.hpp"

#include <string>
#include <vector>

namespace overcast {

std::string comparison_json(const Comparison& comparison);

/// As in its `matched`.
std::string compared_operations_json(const std::vector<const ComparedOperation*>& operations);

}  // namespace overcast
