// A picture of the errors: one dot per run, one row per family.
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

/// SVG. The axis is the signed error, linear to ±5 % and logarithmic beyond, so that both the many
/// small errors and the few large ones can be seen; a bar marks each family's median size.
std::string error_plot(const AccuracyReport& report);

}  // namespace overcast
