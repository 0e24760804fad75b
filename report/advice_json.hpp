// Advice for programs (docs/advice.md).
#pragma once

#include "core/diagnosis.hpp"

#include <string>
#include <vector>

namespace overcast {

/// One object for one trace, an array for several. Times in microseconds.
std::string advice_json(const std::vector<Advice>& advice);

}  // namespace overcast
