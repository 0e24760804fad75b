#include "validate/accuracy/case_accuracy.hpp"

#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "validate/baselines/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace overcast {
namespace {

namespace fs = std::filesystem;

/// What one forecast has in common; its streams are swept.
using SweepKey = std::tuple<std::optional<std::string>, Transform, IssueOrder, std::uint32_t,
                            std::optional<std::uint32_t>>;
/// What a user who looks for the best configuration cannot choose.
using ChoiceKey =
    std::tuple<std::optional<std::string>, Transform, MemoryKind, std::optional<std::uint32_t>>;

SweepKey sweep_key(const RecordedRun& run) {
    return {run.range, run.transform, run.order, run.parts, run.max_connections};
}

ChoiceKey choice_key(const RecordedRun& run) {
    return {run.range, run.transform, run.memory, run.max_connections};
}

/// Of a run that is a part of the recording: that part, whatever was asked for.
ExtractOptions part_of(const RecordedRun& run, ExtractOptions options) {
    options.range = run.range.value_or(options.range);
    return options;
}

ForecastOptions sweep_options(ForecastOptions options, const SweepKey& key,
                              const std::vector<std::size_t>& members, const RecordedTruth& truth) {
    const auto& [range, transform, order, parts, max_connections] = key;
    options.extract.range = range.value_or(options.extract.range);
    options.transform = transform;
    options.orders = {order};
    options.parts = transform == Transform::split ? std::optional{parts} : std::nullopt;
    options.max_connections = max_connections;
    options.streams.clear();
    for (const std::size_t member : members) {
        options.streams.push_back(truth.runs[member].streams);
    }
    std::sort(options.streams.begin(), options.streams.end());
    options.streams.erase(std::unique(options.streams.begin(), options.streams.end()),
                          options.streams.end());
    return options;
}

const Prediction& prediction_of(const RecordedRun& run, const PredictionSweep& sweep) {
    for (const auto& prediction : sweep.predictions) {
        if (prediction.configuration.streams == run.streams &&
            prediction.configuration.order == run.order) {
            return prediction;
        }
    }
    throw Error(fmt::format("no prediction was made for {}, {} order, {} streams",
                            to_string(run.transform), to_string(run.order), run.streams));
}

RunAccuracy compare_run(const RecordedRun& run, const Prediction& prediction) {
    RunAccuracy result;
    result.measured = run;
    result.predicted = prediction.wall;
    result.interval = prediction.interval;
    result.error_percent = error_percent(prediction.wall, run.wall_median);
    return result;
}

void warn_of_other_units(const RecordedRun& run, const Prediction& prediction, Warnings& warnings) {
    if (prediction.units == run.units) {
        return;
    }
    add_warning(warnings, {"units-differ",
                           fmt::format("{} units were predicted where {} were measured: the errors "
                                       "compare different work; choose units with --unit",
                                       prediction.units, run.units)});
}

/// The warnings of a case. What members have in common is said once, of the first of them.
class CaseWarnings {
public:
    explicit CaseWarnings(Warnings& warnings) : warnings_{warnings} {}

    /// `of_sweep`: those of one sweep, of which all runs are of `range`.
    void add(const Warnings& of_sweep, const std::optional<std::string>& range) {
        for (const auto& warning : of_sweep) {
            if (!range) {
                add_warning(warnings_, warning);
                continue;
            }
            auto& known = of_members_[warning.code];
            if (known.ranges.empty()) {
                known.text = fmt::format("{}: {}", member_name(*range), warning.text);
            }
            known.ranges.insert(*range);
        }
    }
    void finish() {
        for (const auto& [code, known] : of_members_) {
            const auto more = known.ranges.size() - 1;
            add_warning(warnings_, {code, more == 0 ? known.text
                                                    : fmt::format("{}; the like holds for {} more",
                                                                  known.text, more)});
        }
    }

private:
    struct OfMembers {
        std::string text;
        std::set<std::string> ranges;
    };
    Warnings& warnings_;
    std::map<std::string, OfMembers> of_members_;  ///< by code
};

/// Units the model counts are parts where a unit is cut: the work done is what is recorded.
double cost_per_work(Duration time, const RecordedRun& run) {
    const double work = run.transform == Transform::replicate ? run.streams : 1;
    return static_cast<double>(time.count()) / work;
}

std::optional<Decision> decide_by(const CaseAccuracy& result,
                                  const std::vector<std::size_t>& members,
                                  const std::function<std::optional<Duration>(std::size_t)>& time) {
    std::vector<Choice> choices;
    for (const auto member : members) {
        const auto& run = result.runs[member].measured;
        const auto predicted = time(member);
        if (!predicted) {
            return std::nullopt;
        }
        choices.push_back({cost_per_work(run.wall_median, run), cost_per_work(*predicted, run)});
    }
    auto decision = decide(choices);
    decision.chosen = members[decision.chosen];
    decision.best = members[decision.best];
    return decision;
}

void add_decisions(CaseAccuracy& result) {
    std::map<ChoiceKey, std::vector<std::size_t>> sweeps;
    for (std::size_t i = 0; i < result.runs.size(); ++i) {
        sweeps[choice_key(result.runs[i].measured)].push_back(i);
    }
    for (const auto& [key, members] : sweeps) {
        if (members.size() < 2) {
            continue;
        }
        SweepDecision decision;
        decision.ours =
            *decide_by(result, members, [&](auto i) { return result.runs[i].predicted; });
        for (std::size_t b = 0; b < result.runs[members.front()].baselines.size(); ++b) {
            decision.baselines.push_back(
                decide_by(result, members, [&](auto i) { return result.runs[i].baselines[b]; }));
        }
        result.decisions.push_back(std::move(decision));
    }
}

Configuration configuration_of(const RecordedRun& run) {
    Configuration configuration;
    configuration.transform = run.transform;
    configuration.order = run.order;
    configuration.streams = run.streams;
    configuration.parts = run.parts;
    return configuration;
}

/// What the one-stream recording holds, with its units.
Extraction recorded_part(const RecordedCase& recorded, const DeviceModel& model,
                         const ExtractOptions& part, const UnitChoice& unit) {
    auto extraction = extract(recorded.trace, tracing_cost_of(recorded.trace, model), part);
    find_units(extraction.workload, unit);
    return extraction;
}

/// `whole`: of the whole recording.
void add_baselines(CaseAccuracy& result, const RecordedCase& recorded, const DeviceModel& model,
                   const ForecastOptions& options, const Extraction& whole) {
    for (auto& run : result.runs) {
        std::optional<Extraction> part;
        if (run.measured.range) {
            part = recorded_part(recorded, model, part_of(run.measured, options.extract),
                                 options.unit);
        }
        for (const auto& baseline : baselines()) {
            run.baselines.push_back(
                baseline.predict(part ? *part : whole, configuration_of(run.measured)));
        }
    }
}

/// The timeline files of one case. Runs that share a file follow each other: it is read once.
class TimelineFiles {
public:
    explicit TimelineFiles(fs::path folder) : folder_{std::move(folder)} {}

    const Trace& read(const std::string& file) {
        if (name_ != file) {
            trace_ = read_trace(folder_ / file);
            name_ = file;
        }
        return trace_;
    }

private:
    fs::path folder_;
    std::optional<std::string> name_;
    Trace trace_;
};

/// The actual timeline was traced, and so is the run that is predicted for it.
void add_timeline(RunAccuracy& run, const RecordedCase& recorded, const DeviceModel& model,
                  const ForecastOptions& options, TimelineFiles& files, const TimelineKeeper& keep,
                  CaseWarnings& warnings) {
    const auto& file = run.measured.timeline_file;
    if (!file) {
        return;
    }
    const auto& trace = files.read(*file);
    auto actual =
        extract(trace, tracing_cost_of(trace, model), part_of(run.measured, options.extract));
    auto asked = sweep_options(options, sweep_key(run.measured), {}, recorded.truth);
    asked.streams = {run.measured.streams};
    asked.play_best = true;
    asked.intervals = false;
    asked.extract.keep_held_up = true;
    auto predicted = forecast(recorded.trace, with_recorder(trace, model), asked).best;
    run.timeline = compare_timelines({actual.workload, actual.measured},
                                     {predicted.workload, predicted.timeline});
    if (!run.timeline) {
        warnings.add({{"timeline-differs",
                       fmt::format("{} holds other work than was predicted: its timeline is not "
                                   "judged",
                                   *file)}},
                     run.measured.range);
    }
    if (keep) {
        keep(run.measured, std::move(actual), std::move(predicted));
    }
}

}  // namespace

std::string member_name(const std::string& range) { return range.substr(range.find(':') + 1); }

bool is_swept(const CaseAccuracy& one) {
    return std::ranges::any_of(one.runs,
                               [](const auto& run) { return run.measured.range.has_value(); });
}

double error_percent(Duration predicted, Duration measured) {
    const auto truth = static_cast<double>(measured.count());
    return (static_cast<double>(predicted.count()) - truth) / truth * 100;
}

CaseAccuracy compare_with_truth(const RecordedTruth& truth, const Predictor& predict,
                                const ForecastOptions& options) {
    std::map<SweepKey, std::vector<std::size_t>> sweeps;
    for (std::size_t i = 0; i < truth.runs.size(); ++i) {
        sweeps[sweep_key(truth.runs[i])].push_back(i);
    }
    CaseAccuracy result;
    result.case_name = truth.case_name;
    result.preset = truth.preset;
    result.device = truth.device;
    result.driver = truth.driver;
    result.date = truth.date;
    result.runs.resize(truth.runs.size());
    CaseWarnings all_warnings{result.warnings};
    for (const auto& [key, members] : sweeps) {
        const PredictionSweep sweep = predict(sweep_options(options, key, members, truth));
        result.device_model = sweep.device_model;
        auto warnings = sweep.warnings;
        for (const std::size_t member : members) {
            const RecordedRun& run = truth.runs[member];
            const Prediction& prediction = prediction_of(run, sweep);
            warn_of_other_units(run, prediction, warnings);
            result.runs[member] = compare_run(run, prediction);
        }
        all_warnings.add(warnings, truth.runs[members.front()].range);
    }
    all_warnings.finish();
    return result;
}

RecordedCase read_recorded_case(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder)) {
        throw Error(fmt::format("{} is not a folder: give one with trace.json.gz and measured.json",
                                folder.string()));
    }
    const auto plain = folder / "trace.json";
    RecordedCase recorded;
    recorded.folder = folder;
    recorded.trace = read_trace(std::filesystem::exists(plain) ? plain : folder / "trace.json.gz");
    recorded.truth = read_recorded_truth(folder / "measured.json");
    return recorded;
}

CaseAccuracy measure_accuracy(const RecordedCase& recorded, const DeviceModel& model,
                              const ForecastOptions& wanted, const TimelineKeeper& keep) {
    auto options = wanted;
    options.play_best = false;
    auto result = compare_with_truth(
        recorded.truth,
        [&](const ForecastOptions& asked) { return forecast(recorded.trace, model, asked).sweep; },
        options);
    // One program may be recorded in several ways: the folder tells them apart.
    const auto path = recorded.folder.lexically_normal();
    result.case_name = (path.has_filename() ? path : path.parent_path()).filename().string();

    auto whole_part = options.extract;
    if (is_swept(result) && whole_part.range.empty()) {
        whole_part.range = "all";  // each member may lie in a recorded range of its own
    }
    const auto whole = recorded_part(recorded, model, whole_part, options.unit);
    result.family = family_of(whole.workload, model);
    add_baselines(result, recorded, model, options, whole);
    TimelineFiles files{recorded.folder};
    CaseWarnings warnings{result.warnings};
    for (auto& run : result.runs) {
        add_timeline(run, recorded, model, options, files, keep, warnings);
    }
    warnings.finish();
    add_decisions(result);
    return result;
}

}  // namespace overcast
