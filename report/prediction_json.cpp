#include "report/prediction_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

/// Six decimals: more than the prediction is worth, and the same text on every machine.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

Json to_json(const Warnings& warnings) {
    auto result = Json::array();
    for (const auto& warning : warnings) {
        result.push_back({{"code", warning.code}, {"text", warning.text}});
    }
    return result;
}

Json to_json(const std::vector<BaselinePrediction>& baselines) {
    auto result = Json::object();
    for (const auto& baseline : baselines) {
        result[baseline.name] = baseline.wall ? Json(to_microseconds(*baseline.wall)) : Json();
    }
    return result;
}

Json to_json(const std::optional<WallInterval>& interval) {
    if (!interval) {
        return nullptr;
    }
    return {{"low", to_microseconds(interval->low)},
            {"high", to_microseconds(interval->high)},
            {"level", interval->level}};
}

Json to_json(const Prediction& prediction) {
    const auto& configuration = prediction.configuration;
    const auto& shares = prediction.utilisation;
    Json result = {
        {"streams", configuration.streams},
        {"order", to_string(configuration.order)},
        {"units", prediction.units},
        {"parts", configuration.parts},
        {"max_connections", prediction.max_connections},
        {"wall_us", to_microseconds(prediction.wall)},
        {"interval_us", to_json(prediction.interval)},
        {"device_us", to_microseconds(prediction.device)},
        {"speedup", rounded(prediction.speedup)},
        {"bound_by", to_string(prediction.bound_by)},
        {"utilisation",
         {{"h2d", rounded(shares.h2d)},
          {"d2h", rounded(shares.d2h)},
          {"sm", rounded(shares.sm)},
          {"host", rounded(shares.host)}}},
        {"device_bytes", prediction.device_bytes},
    };
    if (!prediction.baselines.empty()) {
        result["baselines"] = to_json(prediction.baselines);
    }
    result["warnings"] = to_json(prediction.warnings);
    return result;
}

Json to_json(const OverheadParameters& overheads) {
    auto result = Json::object();
    for (std::size_t i = 0; i < kGapKinds; ++i) {
        if (const auto& gap = overheads.gaps[i]) {
            result[std::string{overhead_name(static_cast<GapKind>(i))}] = {
                {"median_us", to_microseconds(gap->median)},
                {"p10_us", to_microseconds(gap->p10)},
                {"p90_us", to_microseconds(gap->p90)},
                {"count", gap->count},
            };
        }
    }
    return result;
}

Json to_json(const PredictionSweep& sweep) {
    Json result = {
        {"schema_version", kSchemaVersion},
        {"trace", sweep.trace},
        {"device_model", sweep.device_model},
        {"transform", to_string(sweep.transform)},
        {"sync", to_string(sweep.sync)},
        {"predictions", Json::array()},
        {"best", nullptr},
        {"setup_us", to_microseconds(sweep.setup)},
        {"overheads", to_json(sweep.overheads)},
        {"warnings", to_json(sweep.warnings)},
    };
    for (const auto& prediction : sweep.predictions) {
        result["predictions"].push_back(to_json(prediction));
    }
    if (sweep.best) {
        const auto& best = sweep.predictions[*sweep.best];
        result["best"] = {{"streams", best.configuration.streams},
                          {"order", to_string(best.configuration.order)},
                          {"wall_us", to_microseconds(best.wall)}};
    }
    return result;
}

/// A file name or a warning need not be UTF-8; JSON must be.
std::string text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string prediction_json(const PredictionSweep& sweep) { return text(to_json(sweep)); }

std::string prediction_json(const std::vector<PredictionSweep>& sweeps) {
    Json result = {{"schema_version", kSchemaVersion}, {"results", Json::array()}};
    for (const auto& sweep : sweeps) {
        result["results"].push_back(to_json(sweep));
    }
    return text(result);
}

}  // namespace overcast
