#include "forecast/predict.hpp"

#include "core/error.hpp"
#include "forecast/bound.hpp"
#include "forecast/interval.hpp"
#include "forecast/parallel.hpp"
#include "forecast/replay.hpp"
#include "simulator/simulator.hpp"
#include "workload/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace overcast {
namespace {

/// From this width upwards a prediction says why, relative to the wall time.
constexpr double kWide = 0.2;

std::uint32_t streams_in_use(const Workload& workload) {
    std::set<StreamIndex> used;
    for (const auto& operation : workload.operations) {
        if (enqueues_work(operation.action)) {
            used.insert(operation.stream);
        }
    }
    return static_cast<std::uint32_t>(std::max<std::size_t>(1, used.size()));
}

Transform transform_for(const Workload& workload, const ForecastOptions& options) {
    return options.transform.value_or(workload.units >= 2 ? Transform::distribute
                                                          : Transform::replicate);
}

SyncPolicy sync_for(Transform transform, const ForecastOptions& options) {
    return options.sync.value_or(transform == Transform::as_recorded ? SyncPolicy::keep
                                                                     : SyncPolicy::defer);
}

/// One forecast: the recorded work with its units, and what it is played on.
class Sweep {
public:
    Sweep(const Workload& recorded, const DeviceModel& model, const OverheadParameters& gaps,
          const ForecastOptions& options)
        : recorded_{recorded},
          model_{model},
          options_{options},
          transform_{transform_for(recorded, options)},
          sync_{sync_for(transform_, options)} {
        if (options.intervals) {
            intervals_.emplace(recorded, model, gaps, options.rules);
        }
    }

    [[nodiscard]] Transform transform() const { return transform_; }
    [[nodiscard]] SyncPolicy sync() const { return sync_; }

    [[nodiscard]] std::vector<Configuration> configurations() const {
        if (transform_ == Transform::as_recorded) {
            return {configuration(streams_in_use(recorded_), IssueOrder::recorded)};
        }
        std::vector<Configuration> result;
        for (const auto streams : options_.streams) {
            for (const auto order : options_.orders) {
                const auto wanted = configuration(streams, order);
                if (std::ranges::find(result, wanted) == result.end()) {
                    result.push_back(wanted);
                }
            }
        }
        return result;
    }

    [[nodiscard]] PlayedConfiguration play(const Configuration& configuration) const {
        PlayedConfiguration played;
        played.workload = overcast::transform(recorded_, configuration);
        played.timeline = simulate(played.workload, model_, options_.rules);
        return played;
    }

    /// The same work on one stream, to which every speed-up refers.
    [[nodiscard]] Configuration one_stream() const {
        auto result = configuration(1, IssueOrder::depth);
        if (transform_ == Transform::as_recorded) {
            result.order = IssueOrder::recorded;
            // The same calls in the same order, all in one stream.
            result.transform = streams_in_use(recorded_) > 1 ? Transform::distribute : transform_;
        }
        return result;
    }

    /// All but the speed-up.
    [[nodiscard]] Prediction predict(const Configuration& configuration) const {
        const auto played = play(configuration);
        Prediction prediction;
        prediction.configuration = configuration;
        prediction.units = played.workload.units;
        prediction.max_connections =
            played.workload.max_connections.value_or(model_.channels.max_connections);
        prediction.wall = played.timeline.wall;
        prediction.device = played.timeline.device;
        prediction.utilisation = utilisation(played.workload, played.timeline);
        prediction.bound_by = bound_by(prediction.utilisation);
        prediction.device_bytes = played.workload.device_bytes.value_or(Bytes{}).count();
        collect_warnings(prediction.warnings, played);
        if (intervals_) {
            add_interval(prediction, played);
        }
        return prediction;
    }

    /// Side by side, where that takes little memory: with intervals, which are for small programs.
    [[nodiscard]] std::vector<Prediction> predict(
        const std::vector<Configuration>& configurations) const {
        std::vector<Prediction> predictions(configurations.size());
        const auto one = [&](std::size_t i) { predictions[i] = predict(configurations[i]); };
        if (intervals_ && recorded_.operations.size() <= kMostOperationsForIntervals) {
            for_each_index(configurations.size(), one);
        } else {
            for (std::size_t i = 0; i < configurations.size(); ++i) {
                one(i);
            }
        }
        return predictions;
    }

private:
    [[nodiscard]] Configuration configuration(std::uint32_t streams, IssueOrder order) const {
        Configuration result;
        result.transform = transform_;
        result.sync = sync_;
        result.order = order;
        result.streams = streams;
        result.parts = transform_ == Transform::split ? options_.parts.value_or(streams) : 1;
        result.split_kernels = options_.split_kernels;
        return result;
    }

    void add_interval(Prediction& prediction, const PlayedConfiguration& played) const {
        if (played.workload.operations.size() > kMostOperationsForIntervals) {
            add_warning(prediction.warnings,
                        {"no-interval",
                         fmt::format("no 90 % interval is worked out for more than {} operations",
                                     kMostOperationsForIntervals)});
            return;
        }
        const auto [interval, main_cause] = intervals_->estimate(played, prediction);
        prediction.interval = interval;
        const double width = relative_width(interval, prediction.wall);
        if (width > kWide && main_cause) {
            add_warning(prediction.warnings,
                        {"wide-interval",
                         fmt::format("the 90 % interval is {:.0f} % wide, mostly because {}",
                                     width * 100, in_words(*main_cause))});
        }
    }

    /// Those that the configuration adds to what is known of the recorded work.
    void collect_warnings(Warnings& warnings, const PlayedConfiguration& played) const {
        for (const auto& warning : played.workload.warnings) {
            if (std::ranges::find(recorded_.warnings, warning) == recorded_.warnings.end()) {
                add_warning(warnings, warning);
            }
        }
        for (const auto& warning : played.timeline.warnings) {
            add_warning(warnings, warning);
        }
    }

    const Workload& recorded_;
    const DeviceModel& model_;
    const ForecastOptions& options_;
    std::optional<IntervalEstimator> intervals_;
    Transform transform_;
    SyncPolicy sync_;
};

Duration one_stream_wall(const Sweep& sweep, const std::vector<Prediction>& predictions) {
    const auto one_stream = sweep.one_stream();
    const auto known =
        std::ranges::find(predictions, one_stream, [](const auto& p) { return p.configuration; });
    return known != predictions.end() ? known->wall : sweep.play(one_stream).timeline.wall;
}

double speedup(const Prediction& prediction, Duration one_stream_wall) {
    if (prediction.wall <= Duration::zero()) {
        return 1;
    }
    const auto& configuration = prediction.configuration;
    const double copies =
        configuration.transform == Transform::replicate ? configuration.streams : 1;
    return copies * static_cast<double>(one_stream_wall.count()) /
           static_cast<double>(prediction.wall.count());
}

/// By speed-up; of equals the one with fewer streams, then depth before the other orders.
std::optional<std::size_t> best_of(const std::vector<Prediction>& predictions) {
    const auto rank = [](const Prediction& prediction) {
        return std::tuple{-prediction.speedup, prediction.configuration.streams,
                          prediction.configuration.order};
    };
    const auto best = std::ranges::min_element(predictions, {}, rank);
    if (best == predictions.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(best - predictions.begin());
}

PredictionSweep describe(const Trace& trace, const DeviceModel& model,
                         const Extraction& extraction) {
    PredictionSweep sweep;
    sweep.trace = trace.source;
    sweep.program = trace.program;
    sweep.device = extraction.workload.device.name;
    sweep.device_model = model.name;
    sweep.overheads = extraction.overheads;
    sweep.setup = extraction.workload.setup;
    sweep.recorded_wall = extraction.measured.wall;
    sweep.operations = static_cast<std::uint64_t>(std::ranges::count_if(
        extraction.workload.operations,
        [](const Operation& operation) { return enqueues_work(operation.action); }));
    sweep.units_found = extraction.workload.units;
    for (const auto* warnings : {&trace.warnings, &extraction.workload.warnings}) {
        for (const auto& warning : *warnings) {
            add_warning(sweep.warnings, warning);
        }
    }
    return sweep;
}

}  // namespace

Forecast forecast(const Trace& trace, const DeviceModel& model, const ForecastOptions& options) {
    PrepareOptions chosen = options;
    chosen.extract.as_recorded = options.transform == Transform::as_recorded;
    auto [extraction, fitted] = prepare(trace, model, chosen);
    extraction.measured.entries = {};  // of the recording only its wall time is needed from here on
    const auto& recorded = extraction.workload;

    const Sweep sweep{recorded, fitted, extraction.overheads, options};
    Forecast result;
    result.sweep = describe(trace, fitted, extraction);
    result.sweep.transform = sweep.transform();
    result.sweep.sync = sweep.sync();
    const auto configurations = sweep.configurations();
    if (configurations.empty()) {
        throw UsageError(
            "no configuration to predict: give at least one number of streams and "
            "one order");
    }
    auto& predictions = result.sweep.predictions;
    predictions = sweep.predict(configurations);
    result.sweep.one_stream_wall = one_stream_wall(sweep, predictions);
    for (auto& prediction : predictions) {
        prediction.speedup = speedup(prediction, result.sweep.one_stream_wall);
    }
    result.sweep.best = best_of(predictions);
    if (options.play_best && result.sweep.best) {
        result.best = sweep.play(configurations[*result.sweep.best]);
    }
    return result;
}

}  // namespace overcast
