#include "validate/accuracy.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace overcast {
namespace {

/// What one forecast has in common; its streams are swept.
using SweepKey = std::tuple<Transform, IssueOrder, std::uint32_t, std::optional<std::uint32_t>>;

SweepKey sweep_key(const RecordedRun& run) {
    return {run.transform, run.order, run.parts, run.max_connections};
}

ForecastOptions sweep_options(ForecastOptions options, const SweepKey& key,
                              const std::vector<std::size_t>& members, const RecordedTruth& truth) {
    const auto& [transform, order, parts, max_connections] = key;
    options.transform = transform;
    options.orders = {order};
    options.parts = parts;
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
    const auto measured = static_cast<double>(run.wall_median.count());
    result.error_percent =
        (static_cast<double>(prediction.wall.count()) - measured) / measured * 100;
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

std::string summary_line(const AccuracySummary& summary) {
    if (summary.runs == 0) {
        return "  no run on more than one stream\n";
    }
    return fmt::format(
        "  {} runs on 2 or more streams: error mean {:.2f} %, median {:.2f} %,\n"
        "  p95 {:.2f} %, worst {:.2f} %, bias {:+.2f} %\n",
        summary.runs, summary.mean_percent, summary.median_percent, summary.p95_percent,
        summary.max_percent, summary.bias_percent);
}

std::string configuration_words(const RecordedRun& run) {
    std::string words{to_string(run.transform)};
    if (run.parts > 1) {
        words += fmt::format("/{}", run.parts);
    }
    if (run.max_connections) {
        words += fmt::format(" c{}", *run.max_connections);
    }
    return words;
}

std::string case_table(const CaseAccuracy& result) {
    std::string text = fmt::format("{}: measured on {}, predicted with {}\n", result.case_name,
                                   result.device, result.device_model);
    text += fmt::format("  {:<15} {:<8} {:>7} {:>12} {:>12} {:>8} {:>8}\n", "transform", "order",
                        "streams", "measured us", "predicted us", "error %", "noise %");
    for (const auto& run : result.runs) {
        text += fmt::format("  {:<15} {:<8} {:>7} {:>12.1f} {:>12.1f} {:>+8.2f} {:>8.2f}\n",
                            configuration_words(run.measured), to_string(run.measured.order),
                            run.measured.streams, to_microseconds(run.measured.wall_median),
                            to_microseconds(run.predicted), run.error_percent,
                            run.measured.noise_percent);
    }
    text += summary_line(result.summary);
    for (const auto& warning : result.warnings) {
        text += fmt::format("  warning: {}\n", warning.text);
    }
    return text;
}

}  // namespace

AccuracySummary summarise(std::span<const RunAccuracy> runs) {
    std::vector<double> sizes;
    double signed_sum = 0;
    for (const auto& run : runs) {
        if (run.measured.streams > 1) {
            sizes.push_back(std::abs(run.error_percent));
            signed_sum += run.error_percent;
        }
    }
    AccuracySummary summary;
    summary.runs = sizes.size();
    if (sizes.empty()) {
        return summary;
    }
    std::sort(sizes.begin(), sizes.end());
    const auto count = static_cast<double>(sizes.size());
    const std::size_t middle = sizes.size() / 2;
    const std::size_t rank = (sizes.size() * 95 + 99) / 100;  // rounded up, without fractions
    summary.median_percent =
        sizes.size() % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
    summary.mean_percent = std::accumulate(sizes.begin(), sizes.end(), 0.0) / count;
    summary.p95_percent = sizes[rank - 1];
    summary.max_percent = sizes.back();
    summary.bias_percent = signed_sum / count;
    return summary;
}

CaseAccuracy compare_with_truth(const RecordedTruth& truth, const Predictor& predict,
                                const ForecastOptions& options) {
    std::map<SweepKey, std::vector<std::size_t>> sweeps;
    for (std::size_t i = 0; i < truth.runs.size(); ++i) {
        sweeps[sweep_key(truth.runs[i])].push_back(i);
    }
    CaseAccuracy result;
    result.case_name = truth.case_name;
    result.device = truth.device;
    result.runs.resize(truth.runs.size());
    for (const auto& [key, members] : sweeps) {
        const PredictionSweep sweep = predict(sweep_options(options, key, members, truth));
        result.device_model = sweep.device_model;
        for (const auto& warning : sweep.warnings) {
            add_warning(result.warnings, warning);
        }
        for (const std::size_t member : members) {
            const RecordedRun& run = truth.runs[member];
            const Prediction& prediction = prediction_of(run, sweep);
            warn_of_other_units(run, prediction, result.warnings);
            result.runs[member] = compare_run(run, prediction);
        }
    }
    result.summary = summarise(result.runs);
    return result;
}

CaseAccuracy measure_accuracy(const Trace& trace, const DeviceModel& model,
                              const RecordedTruth& truth, const ForecastOptions& options) {
    return compare_with_truth(
        truth, [&](const ForecastOptions& asked) { return forecast(trace, model, asked).sweep; },
        options);
}

std::string accuracy_table(std::span<const CaseAccuracy> cases) {
    std::string text;
    std::vector<RunAccuracy> all;
    for (const auto& one : cases) {
        text += case_table(one) + '\n';
        all.insert(all.end(), one.runs.begin(), one.runs.end());
    }
    if (cases.size() > 1) {
        text += fmt::format("all {} cases\n{}", cases.size(), summary_line(summarise(all)));
    } else if (!text.empty()) {
        text.pop_back();  // the empty line between two cases
    }
    return text;
}

}  // namespace overcast
