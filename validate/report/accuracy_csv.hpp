// The report of `overcast validate --format csv`: a line per configuration.
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

std::string accuracy_csv(const AccuracyReport& report);

}  // namespace overcast
