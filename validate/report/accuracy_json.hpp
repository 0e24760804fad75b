// The report of `overcast validate --format json` (docs/output-format.md#accuracy).
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

std::string accuracy_json(const AccuracyReport& report);

}  // namespace overcast
