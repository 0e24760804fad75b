// One recorded case: every measured configuration predicted, and how far the prediction is.
#pragma once

#include "core/prediction.hpp"
#include "core/trace.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"
#include "forecast/predict.hpp"
#include "model/device_model.hpp"
#include "validate/accuracy/decision.hpp"
#include "validate/accuracy/family.hpp"
#include "validate/accuracy/timeline_accuracy.hpp"
#include "validate/truth/recorded_truth.hpp"
#include "workload/extract.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// One configuration, predicted and measured.
struct RunAccuracy {
    RecordedRun measured;
    Duration predicted{};
    std::optional<WallInterval> interval;  ///< of `predicted`
    double error_percent = 0;  ///< (predicted - measured) / measured; positive = predicted too slow
    /// What the models of others say, in the order of baselines(); absent where they say nothing.
    std::vector<std::optional<Duration>> baselines;
    std::optional<TimelineAccuracy> timeline;  ///< where an actual timeline was recorded
};

/// The runs of one sweep as choices of one user: the same transform, memory and connections.
struct SweepDecision {
    Decision ours;  ///< indices into CaseAccuracy::runs
    /// In the order of baselines(); absent where a baseline does not know every run of the sweep.
    std::vector<std::optional<Decision>> baselines;
};

struct CaseAccuracy {
    std::string case_name;
    std::string preset;
    Family family{};
    std::string device;  ///< on which it was measured
    std::string driver;
    std::string date;
    std::string device_model;       ///< with which it was predicted
    std::vector<RunAccuracy> runs;  ///< in the order of measured.json
    std::vector<SweepDecision> decisions;
    Warnings warnings;
};

/// A run on one stream is what was recorded: it proves little, and counts in no figure of accuracy.
constexpr bool counts(const RecordedRun& run) { return run.streams > 1; }

/// Whether its recording holds many members, each measured for itself.
bool is_swept(const CaseAccuracy& one);

/// "group=17" of "nvtx:group=17".
std::string member_name(const std::string& range);

/// (predicted - measured) / measured, in percent.
double error_percent(Duration predicted, Duration measured);

/// Predicts one sweep.
using Predictor = std::function<PredictionSweep(const ForecastOptions&)>;

/// Asks `predict` once per sweep (range, transform, order, parts, connections) of `truth`, for the
/// streams that were measured, and sets each prediction beside its run. `options` gives everything
/// that the truth does not decide. Baselines, family and timelines stay empty.
CaseAccuracy compare_with_truth(const RecordedTruth& truth, const Predictor& predict,
                                const ForecastOptions& options = {});

/// A recorded case: DIR/trace.json.gz (or trace.json) and DIR/measured.json.
struct RecordedCase {
    std::filesystem::path folder;
    Trace trace;
    RecordedTruth truth;
};

/// Throws Error (no such folder) or TraceFormatError.
RecordedCase read_recorded_case(const std::filesystem::path& folder);

/// Gets each run whose actual timeline was recorded, that timeline, and the predicted one.
using TimelineKeeper =
    std::function<void(const RecordedRun& run, Extraction actual, PlayedConfiguration predicted)>;

/// Predicts `recorded` from its trace, and judges makespans, timelines, decisions and baselines.
CaseAccuracy measure_accuracy(const RecordedCase& recorded, const DeviceModel& model,
                              const ForecastOptions& options = {}, const TimelineKeeper& keep = {});

}  // namespace overcast
