// The accuracy of predictions for programs, as JSON.
#pragma once

#include "validate/accuracy.hpp"

#include <span>
#include <string>

namespace overcast {

/// {"schema_version", "cases": […], "summary"}: every run with its error, a summary per case and
/// one over all. Ends with a newline.
std::string accuracy_json(std::span<const CaseAccuracy> cases);

}  // namespace overcast
