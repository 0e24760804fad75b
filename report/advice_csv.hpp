// The diagnoses of one or several traces as CSV, one row each.
#pragma once

#include "core/diagnosis.hpp"

#include <string>
#include <vector>

namespace overcast {

std::string advice_csv(const std::vector<Advice>& advice);

}  // namespace overcast
