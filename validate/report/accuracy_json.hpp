// The report of `overcast validate --format json` (docs/prediction-formats.md#accuracy).
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

std::string accuracy_json(const AccuracyReport& report);

}  // namespace overcast
