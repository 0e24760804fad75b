#include "report/prediction_json.hpp"

#include "report/json_parts.hpp"

#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPredictionVersion = 1;

/// Six decimals: more than the prediction is worth, and the same text on every machine.
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
    result["warnings"] = warnings_json(prediction.warnings);
    return result;
}

Json to_json(const PredictionSweep& sweep) {
    Json result = {
        {"schema_version", kPredictionVersion},
        {"trace", sweep.trace},
        {"device_model", sweep.device_model},
        {"transform", to_string(sweep.transform)},
        {"sync", to_string(sweep.sync)},
        {"predictions", Json::array()},
        {"best", nullptr},
        {"setup_us", to_microseconds(sweep.setup)},
        {"overheads", overheads_json(sweep.overheads)},
        {"warnings", warnings_json(sweep.warnings)},
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

}  // namespace

std::string prediction_json(const PredictionSweep& sweep) { return json_text(to_json(sweep)); }

std::string prediction_json(const std::vector<PredictionSweep>& sweeps) {
    Json result = {{"schema_version", kPredictionVersion}, {"results", Json::array()}};
    for (const auto& sweep : sweeps) {
        result["results"].push_back(to_json(sweep));
    }
    return json_text(result);
}

}  // namespace overcast
