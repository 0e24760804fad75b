#include "validate/truth/recorded_truth_json.hpp"

#include "core/memory_word.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace overcast {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <typename Value>
OrderedJson or_null(const std::optional<Value>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson to_json(const RecordedRun& run) {
    OrderedJson series = OrderedJson::array();
    for (const auto median : run.series_medians) {
        series.push_back(to_microseconds(median));
    }
    OrderedJson json = OrderedJson::object();
    if (run.range) {
        json["range"] = *run.range;
    }
    json.update({
        {"transform", to_string(run.transform)},
        {"order", to_string(run.order)},
        {"streams", run.streams},
        {"units", run.units},
        {"parts", run.parts},
        {"memory", memory_word(run.memory)},
        {"max_connections", or_null(run.max_connections)},
        {"wall_median_us", to_microseconds(run.wall_median)},
        {"wall_min_us", to_microseconds(run.wall_min)},
        {"wall_max_us", to_microseconds(run.wall_max)},
        {"noise_percent", std::round(run.noise_percent * 1e3) / 1e3},
        {"repetitions", run.repetitions},
        {"series_median_us", std::move(series)},
        {"timeline_file", or_null(run.timeline_file)},
    });
    return json;
}

}  // namespace

std::string recorded_truth_json(const RecordedTruth& truth) {
    // One run a line: a person compares runs, and a difference between two recordings stays short.
    const OrderedJson head = {
        {"schema_version", 1}, {"case", truth.case_name},  {"preset", truth.preset},
        {"unit", truth.unit},  {"device", truth.device},   {"driver", truth.driver},
        {"date", truth.date},  {"command", truth.command},
    };
    std::string text = "{\n";
    for (const auto& [key, value] : head.items()) {
        text += "  " + OrderedJson(key).dump() + ": " + value.dump() + ",\n";
    }
    text += "  \"runs\": [";
    const char* separator = "\n    ";
    for (const auto& run : truth.runs) {
        text += separator + to_json(run).dump();
        separator = ",\n    ";
    }
    return text + "\n  ]\n}\n";
}

}  // namespace overcast
