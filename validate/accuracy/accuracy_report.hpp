// Many cases in the figures that are published.
#pragma once

#include "validate/accuracy/case_accuracy.hpp"
#include "validate/accuracy/error_summary.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace overcast {

/// How well one model did on a set of cases.
struct ModelFigures {
    ErrorSummary errors;
    std::size_t undefined = 0;  ///< configurations about which the model says nothing
    /// Mean over the sweeps of how much longer the configuration that the model calls best really
    /// takes than the best one; absent where there is no sweep with a choice.
    std::optional<double> regret_percent;
    std::size_t decisions = 0;    ///< sweeps with a choice
    std::size_t best_chosen = 0;  ///< of them, those without regret beyond the noise of the truth
};

/// Over all operations of all recorded timelines of a set of cases.
struct TimelineFigures {
    std::size_t timelines = 0;
    double start_median_percent = 0;  ///< median of the timelines' medians
    double start_p95_percent = 0;     ///< median of the timelines' p95
    double end_median_percent = 0;
    double end_p95_percent = 0;
    std::optional<double> service_order_percent;  ///< mean over the timelines with copies
    double overlap_difference = 0;  ///< mean of |predicted - actual| overlap, percentage points
};

/// How far apart the truth's own series are: no model can be nearer than that.
struct TruthNoise {
    double median_percent = 0;
    double p95_percent = 0;
};

/// How often the truth lay in the 90 % interval of its prediction, and how wide those were.
struct IntervalFigures {
    std::size_t count = 0;        ///< predictions with an interval
    double coverage_percent = 0;  ///< the measured median lies inside
    /// The same where the truth is only known to within its own noise: the interval holds a part of
    /// median ± noise / 2.
    double coverage_within_noise_percent = 0;
    double mean_width_percent = 0;  ///< of the predicted wall time
    double median_width_percent = 0;
};

/// Over each kernel of each recorded timeline: |predicted / measured - 1| of how much longer it
/// takes beside others than alone.
struct SlowdownFigures {
    std::size_t kernels = 0;
    double mean_percent = 0;
    double median_percent = 0;
    double p95_percent = 0;
};

struct Figures {
    ModelFigures ours;
    IntervalFigures intervals;
    TruthNoise noise;
    TimelineFigures timeline;
    SlowdownFigures slowdowns;
    std::vector<ModelFigures> baselines;  ///< in the order of baselines()
};

struct AccuracyReport {
    std::vector<CaseAccuracy> cases;
    Figures all;
    std::vector<std::pair<Family, Figures>> families;  ///< those that have a case
    /// Each case whose recording holds many members, by its name.
    std::vector<std::pair<std::string, Figures>> swept_cases;
    /// The same cases with the parameters of another machine of this kind; absent where the cases
    /// were predicted with no others.
    std::optional<ModelFigures> other_parameters;
    std::string other_model;  ///< their name
};

/// `with_other_parameters`: the same cases again, or nothing.
AccuracyReport make_report(std::vector<CaseAccuracy> cases,
                           const std::vector<CaseAccuracy>& with_other_parameters = {});

/// Of the runs of one case that count.
ErrorSummary errors_of(const CaseAccuracy& one);

/// The runs that a report for people lists of `one`, as indices: all in their order, of many
/// members the ten with the largest errors, largest first.
std::vector<std::size_t> listed_runs(const CaseAccuracy& one);

/// The `count` runs with the largest errors, largest first: index of the case and of the run.
std::vector<std::pair<std::size_t, std::size_t>> worst_runs(const AccuracyReport& report,
                                                            std::size_t count);

/// Whether `interval` holds a part of the measured median ± `percent`.
bool holds(const WallInterval& interval, const RecordedRun& run, double percent);

/// "distribute", "split/4", "replicate c32", "distribute group=17": transform, parts, connections
/// and member of a run.
std::string configuration_words(const RecordedRun& run);

}  // namespace overcast
