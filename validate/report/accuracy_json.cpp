#include "validate/report/accuracy_json.hpp"

#include "core/memory_word.hpp"
#include "report/json_parts.hpp"
#include "validate/baselines/baseline.hpp"

#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

OrderedJson or_null(const std::optional<double>& value) {
    return value ? OrderedJson(rounded(*value)) : OrderedJson(nullptr);
}

OrderedJson to_json(const ModelFigures& figures) {
    const auto& errors = figures.errors;
    return {
        {"count", errors.count},
        {"mape_percent", rounded(errors.mape_percent)},
        {"case_mape_percent", rounded(errors.case_mape_percent)},
        {"family_mape_percent", rounded(errors.family_mape_percent)},
        {"median_percent", rounded(errors.median_percent)},
        {"p90_percent", rounded(errors.p90_percent)},
        {"p95_percent", rounded(errors.p95_percent)},
        {"max_percent", rounded(errors.max_percent)},
        {"bias_percent", rounded(errors.bias_percent)},
        {"regret_percent", or_null(figures.regret_percent)},
        {"decisions", figures.decisions},
        {"best_chosen", figures.best_chosen},
        {"undefined", figures.undefined},
    };
}

OrderedJson to_json(const IntervalFigures& intervals) {
    if (intervals.count == 0) {
        return nullptr;  // none was worked out
    }
    return {
        {"count", intervals.count},
        {"coverage_percent", rounded(intervals.coverage_percent)},
        {"coverage_within_noise_percent", rounded(intervals.coverage_within_noise_percent)},
        {"mean_width_percent", rounded(intervals.mean_width_percent)},
        {"median_width_percent", rounded(intervals.median_width_percent)},
    };
}

OrderedJson interval_json(const std::optional<WallInterval>& interval) {
    if (!interval) {
        return nullptr;
    }
    return {{"low", to_microseconds(interval->low)},
            {"high", to_microseconds(interval->high)},
            {"level", interval->level}};
}

OrderedJson to_json(const TimelineFigures& timeline) {
    if (timeline.timelines == 0) {
        return nullptr;  // not measured
    }
    return {
        {"timelines", timeline.timelines},
        {"start_median_percent", rounded(timeline.start_median_percent)},
        {"start_p95_percent", rounded(timeline.start_p95_percent)},
        {"end_median_percent", rounded(timeline.end_median_percent)},
        {"end_p95_percent", rounded(timeline.end_p95_percent)},
        {"service_order_percent", or_null(timeline.service_order_percent)},
        {"overlap_difference", rounded(timeline.overlap_difference)},
    };
}

OrderedJson to_json(const SlowdownFigures& slowdowns) {
    if (slowdowns.kernels == 0) {
        return nullptr;  // no kernel was seen beside others
    }
    return {
        {"kernels", slowdowns.kernels},
        {"mean_percent", rounded(slowdowns.mean_percent)},
        {"median_percent", rounded(slowdowns.median_percent)},
        {"p95_percent", rounded(slowdowns.p95_percent)},
    };
}

OrderedJson slowdowns_json(const std::optional<TimelineAccuracy>& timeline) {
    if (!timeline) {
        return nullptr;
    }
    OrderedJson result = OrderedJson::array();
    for (const auto& kernel : timeline->slowdowns) {
        result.push_back({{"kernel", kernel.kernel},
                          {"launches", kernel.launches},
                          {"measured", rounded(kernel.measured)},
                          {"predicted", rounded(kernel.predicted)}});
    }
    return result;
}

OrderedJson timeline_json(const std::optional<TimelineAccuracy>& timeline) {
    if (!timeline) {
        return nullptr;
    }
    return {
        {"start_median_percent", rounded(timeline->start_median_percent)},
        {"start_p95_percent", rounded(timeline->start_p95_percent)},
        {"end_median_percent", rounded(timeline->end_median_percent)},
        {"end_p95_percent", rounded(timeline->end_p95_percent)},
        {"service_order_percent", or_null(timeline->service_order_percent)},
        {"actual_overlap_percent", rounded(timeline->actual_overlap_percent)},
        {"predicted_overlap_percent", rounded(timeline->predicted_overlap_percent)},
        {"operations", timeline->operations},
    };
}

OrderedJson baselines_json(const RunAccuracy& run) {
    OrderedJson result = OrderedJson::object();
    for (std::size_t i = 0; i < run.baselines.size(); ++i) {
        const auto& predicted = run.baselines[i];
        const auto name = std::string{baselines()[i].name};
        result[name] = nullptr;
        if (predicted) {
            result[name] = {
                {"predicted_us", to_microseconds(*predicted)},
                {"error_percent", rounded(error_percent(*predicted, run.measured.wall_median))}};
        }
    }
    return result;
}

OrderedJson to_json(const CaseAccuracy& one, const RunAccuracy& run) {
    const auto& measured = run.measured;
    return {
        {"case", one.case_name},
        {"family", to_string(one.family)},
        {"preset", one.preset},
        {"transform", to_string(measured.transform)},
        {"order", to_string(measured.order)},
        {"streams", measured.streams},
        {"units", measured.units},
        {"parts", measured.parts},
        {"max_connections",
         measured.max_connections ? OrderedJson(*measured.max_connections) : OrderedJson(nullptr)},
        {"memory", memory_word(measured.memory)},
        {"range", measured.range ? OrderedJson(*measured.range) : OrderedJson(nullptr)},
        {"measured_us", to_microseconds(measured.wall_median)},
        {"noise_percent", measured.noise_percent},
        {"predicted_us", to_microseconds(run.predicted)},
        {"error_percent", rounded(run.error_percent)},
        {"interval_us", interval_json(run.interval)},
        {"timeline", timeline_json(run.timeline)},
        {"slowdown", slowdowns_json(run.timeline)},
        {"baselines", baselines_json(run)},
    };
}

OrderedJson summary_json(const Figures& figures) {
    OrderedJson result = to_json(figures.ours);
    result["noise_median_percent"] = rounded(figures.noise.median_percent);
    result["noise_p95_percent"] = rounded(figures.noise.p95_percent);
    return result;
}

OrderedJson warnings_json(const AccuracyReport& report) {
    OrderedJson result = OrderedJson::array();
    for (const auto& one : report.cases) {
        for (const auto& warning : one.warnings) {
            result.push_back(
                {{"case", one.case_name}, {"code", warning.code}, {"text", warning.text}});
        }
    }
    return result;
}

OrderedJson named_baselines(const Figures& figures) {
    OrderedJson result = OrderedJson::object();
    for (std::size_t i = 0; i < figures.baselines.size(); ++i) {
        result[std::string{baselines()[i].name}] = to_json(figures.baselines[i]);
    }
    return result;
}

OrderedJson all_figures_json(const Figures& figures) {
    auto entry = summary_json(figures);
    entry["intervals"] = to_json(figures.intervals);
    entry["timeline"] = to_json(figures.timeline);
    entry["slowdowns"] = to_json(figures.slowdowns);
    entry["baselines"] = named_baselines(figures);
    return entry;
}

}  // namespace

std::string accuracy_json(const AccuracyReport& report) {
    OrderedJson result = {
        {"schema_version", kSchemaVersion},
        {"device", report.cases.empty() ? "" : report.cases.front().device},
        {"device_model", report.cases.empty() ? "" : report.cases.front().device_model},
        {"cases", OrderedJson::array()},
        {"summary", summary_json(report.all)},
        {"intervals", to_json(report.all.intervals)},
        {"timeline", to_json(report.all.timeline)},
        {"slowdowns", to_json(report.all.slowdowns)},
        {"families", OrderedJson::object()},
        {"swept_cases", OrderedJson::object()},
        {"baselines", named_baselines(report.all)},
        {"other_parameters", nullptr},
        {"warnings", warnings_json(report)},
    };
    for (const auto& one : report.cases) {
        for (const auto& run : one.runs) {
            result["cases"].push_back(to_json(one, run));
        }
    }
    for (const auto& [family, figures] : report.families) {
        result["families"][std::string{to_string(family)}] = all_figures_json(figures);
    }
    for (const auto& [name, figures] : report.swept_cases) {
        result["swept_cases"][name] = all_figures_json(figures);
    }
    if (report.other_parameters) {
        result["other_parameters"] = to_json(*report.other_parameters);
        result["other_parameters"]["device_model"] = report.other_model;
    }
    return result.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

}  // namespace overcast
