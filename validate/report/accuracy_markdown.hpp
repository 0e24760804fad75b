// docs/validation.md: the published report.
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

/// `command` made it; `plot` is the picture beside it (error_plot), empty where there is none.
std::string accuracy_markdown(const AccuracyReport& report, const std::string& command,
                              const std::string& plot);

}  // namespace overcast
