// `predict --html`: the page of one prediction.
#pragma once

#include "core/trace.hpp"
#include "forecast/predict.hpp"
#include "workload/extract.hpp"

#include <string>
#include <vector>

namespace overcast {

/// `recorded` is `trace` taken apart, `forecast` holds its best configuration played. `arguments`
/// are those of the subcommand.
std::string predict_page(const Trace& trace, const Extraction& recorded, const Forecast& forecast,
                         const std::vector<std::string>& arguments);

}  // namespace overcast
