// How far predictions are from measured runs, and the table that says so.
#pragma once

#include "core/prediction.hpp"
#include "core/trace.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"
#include "forecast/predict.hpp"
#include "model/device_model.hpp"
#include "validate/recorded_truth.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace overcast {

/// One configuration, predicted and measured.
struct RunAccuracy {
    RecordedRun measured;
    Duration predicted{};
    double error_percent = 0;  ///< (predicted - measured) / measured; positive = predicted too slow
};

/// Over runs on more than one stream: a single stream is what was recorded, so it proves little.
/// All but `bias` are of the errors' sizes, without sign. All zero where there is no such run.
struct AccuracySummary {
    std::size_t runs = 0;
    double median_percent = 0;
    double mean_percent = 0;
    double p95_percent = 0;  ///< nearest rank: the smallest that 95 % of the errors do not exceed
    double max_percent = 0;
    double bias_percent = 0;  ///< mean of the signed errors
};

struct CaseAccuracy {
    std::string case_name;
    std::string device;             ///< on which it was measured
    std::string device_model;       ///< with which it was predicted
    std::vector<RunAccuracy> runs;  ///< in the order of measured.json
    AccuracySummary summary;
    Warnings warnings;
};

AccuracySummary summarise(std::span<const RunAccuracy> runs);

/// Predicts one sweep.
using Predictor = std::function<PredictionSweep(const ForecastOptions&)>;

/// Asks `predict` for exactly the configurations in `truth`. `options` says everything else; its
/// transform, streams, orders, parts and max_connections are replaced.
/// Throws Error if `predict` leaves out a configuration.
CaseAccuracy compare_with_truth(const RecordedTruth& truth, const Predictor& predict,
                                const ForecastOptions& options = {});

/// Predicts from `trace` with `model`.
CaseAccuracy measure_accuracy(const Trace& trace, const DeviceModel& model,
                              const RecordedTruth& truth, const ForecastOptions& options = {});

/// For people: every run with its error beside its noise, a summary per case, and one of all cases
/// where there are several. 80 columns, ends with a newline.
std::string accuracy_table(std::span<const CaseAccuracy> cases);

}  // namespace overcast
