// Puts what other models say beside our predictions.
#pragma once

#include "core/prediction.hpp"
#include "core/trace.hpp"
#include "forecast/predict.hpp"
#include "model/device_model.hpp"

#include <string>
#include <vector>

namespace overcast {

/// Fills `baselines` of every prediction of `sweep`, which forecast() made from the same trace,
/// model and options. Names given twice count once. Throws UsageError on an unknown name.
void add_baselines(const Trace& trace, const DeviceModel& model, const ForecastOptions& options,
                   const std::vector<std::string>& names, PredictionSweep& sweep);

}  // namespace overcast
