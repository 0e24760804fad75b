#include "validate/accuracy_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

Json to_json(const AccuracySummary& summary) {
    return {
        {"runs", summary.runs},
        {"mean_percent", rounded(summary.mean_percent)},
        {"median_percent", rounded(summary.median_percent)},
        {"p95_percent", rounded(summary.p95_percent)},
        {"max_percent", rounded(summary.max_percent)},
        {"bias_percent", rounded(summary.bias_percent)},
    };
}

Json to_json(const RunAccuracy& run) {
    const auto& measured = run.measured;
    return {
        {"transform", to_string(measured.transform)},
        {"order", to_string(measured.order)},
        {"streams", measured.streams},
        {"units", measured.units},
        {"parts", measured.parts},
        {"max_connections",
         measured.max_connections ? Json(*measured.max_connections) : Json(nullptr)},
        {"measured_us", to_microseconds(measured.wall_median)},
        {"predicted_us", to_microseconds(run.predicted)},
        {"error_percent", rounded(run.error_percent)},
        {"noise_percent", measured.noise_percent},
    };
}

Json to_json(const CaseAccuracy& one) {
    Json result = {
        {"case", one.case_name},
        {"device", one.device},
        {"device_model", one.device_model},
        {"runs", Json::array()},
        {"summary", to_json(one.summary)},
        {"warnings", Json::array()},
    };
    for (const auto& run : one.runs) {
        result["runs"].push_back(to_json(run));
    }
    for (const auto& warning : one.warnings) {
        result["warnings"].push_back({{"code", warning.code}, {"text", warning.text}});
    }
    return result;
}

}  // namespace

std::string accuracy_json(std::span<const CaseAccuracy> cases) {
    constexpr int kSchemaVersion = 1;
    Json result = {{"schema_version", kSchemaVersion}, {"cases", Json::array()}};
    std::vector<RunAccuracy> all;
    for (const auto& one : cases) {
        result["cases"].push_back(to_json(one));
        all.insert(all.end(), one.runs.begin(), one.runs.end());
    }
    result["summary"] = to_json(summarise(all));
    return result.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace overcast
