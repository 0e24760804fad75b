#include "report/prediction_csv.hpp"

#include "report/csv_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace overcast {
namespace {

std::string codes(const PredictionSweep& sweep, const Prediction& prediction) {
    std::string result;
    for (const auto* warnings : {&sweep.warnings, &prediction.warnings}) {
        for (const auto& warning : *warnings) {
            result += (result.empty() ? "" : ";") + warning.code;
        }
    }
    return result;
}

std::string baseline_fields(const Prediction& prediction) {
    std::string result;
    for (const auto& baseline : prediction.baselines) {
        result += baseline.wall ? fmt::format(",{:.3f}", to_microseconds(*baseline.wall)) : ",";
    }
    return result;
}

/// Their columns stand last; all sweeps have the same ones.
std::string baseline_titles(const std::vector<PredictionSweep>& sweeps) {
    std::string result;
    if (!sweeps.empty() && !sweeps.front().predictions.empty()) {
        for (const auto& baseline : sweeps.front().predictions.front().baselines) {
            auto name = baseline.name;
            std::ranges::replace(name, '-', '_');
            result += fmt::format(",baseline_{}_us", name);
        }
    }
    return result;
}

std::string interval_fields(const std::optional<WallInterval>& interval) {
    return interval ? fmt::format(",{:.3f},{:.3f}", to_microseconds(interval->low),
                                  to_microseconds(interval->high))
                    : ",,";
}

std::string row(const PredictionSweep& sweep, std::size_t i) {
    const auto& prediction = sweep.predictions[i];
    const auto& configuration = prediction.configuration;
    const auto& shares = prediction.utilisation;
    return fmt::format(
        "{},{},{},{},{},{},{},{},{},{:.3f}{},{:.3f},{:.6f},{},{:.6f},{:.6f},{:.6f},{:.6f},{},{},{}{"
        "}"
        "\n",
        csv_field(sweep.trace), csv_field(sweep.device_model), to_string(sweep.transform),
        to_string(sweep.sync), configuration.streams, to_string(configuration.order),
        prediction.units, configuration.parts, prediction.max_connections,
        to_microseconds(prediction.wall), interval_fields(prediction.interval),
        to_microseconds(prediction.device), prediction.speedup, to_string(prediction.bound_by),
        shares.h2d, shares.d2h, shares.sm, shares.host, prediction.device_bytes,
        sweep.best == i ? 1 : 0, csv_field(codes(sweep, prediction)), baseline_fields(prediction));
}

}  // namespace

std::string prediction_csv(const std::vector<PredictionSweep>& sweeps) {
    auto result =
        std::string{
            "trace,device_model,transform,sync,streams,order,units,parts,max_connections,wall_us,"
            "interval_low_us,interval_high_us,device_us,speedup,bound_by,utilisation_h2d,"
            "utilisation_d2h,utilisation_sm,"
            "utilisation_host,device_bytes,best,warnings"} +
        baseline_titles(sweeps) + '\n';
    for (const auto& sweep : sweeps) {
        for (std::size_t i = 0; i < sweep.predictions.size(); ++i) {
            result += row(sweep, i);
        }
    }
    return result;
}

}  // namespace overcast
