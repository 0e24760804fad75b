// Predictions for programs, as JSON.
#pragma once

#include "core/prediction.hpp"

#include <string>
#include <vector>

namespace overcast {

/// One trace: an object. Ends with a newline.
std::string prediction_json(const PredictionSweep& sweep);

/// Several traces: {"schema_version", "results": […]}, one object for each.
std::string prediction_json(const std::vector<PredictionSweep>& sweeps);

}  // namespace overcast
