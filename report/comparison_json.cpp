#include "report/comparison_json.hpp"

#include "report/json_parts.hpp"

#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kComparisonVersion = 1;

double microseconds(TimelineTime time) { return to_microseconds(time - TimelineTime{}); }

Json to_json(const std::optional<StreamId>& stream) {
    return stream ? Json(number(*stream)) : Json();
}

Json to_json(const ComparedSide& side) {
    return {{"label", side.label},
            {"title", side.title},
            {"device", side.device},
            {"makespan_us", to_microseconds(side.wall)},
            {"device_us", to_microseconds(side.device_span)},
            {"waiting_us", to_microseconds(side.waiting)},
            {"host_share", rounded(side.host_share)},
            {"device_share", rounded(side.device_share)},
            {"operations", side.operations},
            {"streams", side.streams},
            {"threads", side.threads}};
}

Json to_json(const std::optional<Agreement>& agreement) {
    if (!agreement) {
        return nullptr;
    }
    return {{"pairs", agreement->operations},
            {"median", rounded(agreement->median)},
            {"p90", rounded(agreement->p90)}};
}

Json to_json(const TimelineEntry& entry) {
    Json result = {{"call_start_us", microseconds(entry.call_start)},
                   {"call_end_us", microseconds(entry.call_end)}};
    result["device_start_us"] = entry.on_device ? Json(microseconds(entry.device_start)) : Json();
    result["device_end_us"] = entry.on_device ? Json(microseconds(entry.device_end)) : Json();
    return result;
}

Json to_json(const ComparedOperation& operation) {
    return {{"kind", operation.kind},
            {"name", operation.name},
            {"amount", operation.amount},
            {"ordinal", operation.ordinal},
            {"waits", operation.waits},
            {"left_stream", to_json(operation.left_stream)},
            {"right_stream", to_json(operation.right_stream)},
            {"left", to_json(operation.left)},
            {"right", to_json(operation.right)}};
}

Json to_json(const std::vector<UnmatchedOperation>& operations) {
    auto result = Json::array();
    for (const auto& operation : operations) {
        result.push_back({{"kind", operation.kind},
                          {"name", operation.name},
                          {"amount", operation.amount},
                          {"stream", to_json(operation.stream)},
                          {"times", to_json(operation.entry)}});
    }
    return result;
}

/// A file name or a kernel's name need not be UTF-8; JSON must be.
std::string written(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string compared_operations_json(const std::vector<const ComparedOperation*>& operations) {
    auto result = Json::array();
    for (const auto* operation : operations) {
        result.push_back(to_json(*operation));
    }
    return written(result);
}

std::string comparison_json(const Comparison& comparison) {
    Json result = {{"schema_version", kComparisonVersion},
                   {"left", to_json(comparison.left)},
                   {"right", to_json(comparison.right)},
                   {"start_delay", to_json(comparison.start_delay)},
                   {"waiting_calls", to_json(comparison.waiting_calls)},
                   {"held_up_launches", to_json(comparison.held_up_launches)},
                   {"kinds", Json::array()},
                   {"waits", Json::array()},
                   {"matched", Json::array()},
                   {"only_left", to_json(comparison.only_left)},
                   {"only_right", to_json(comparison.only_right)},
                   {"warnings", Json::array()}};
    for (const auto& kind : comparison.kinds) {
        result["kinds"].push_back({{"kind", kind.kind},
                                   {"left_count", kind.left_count},
                                   {"right_count", kind.right_count},
                                   {"left_us", to_microseconds(kind.left)},
                                   {"right_us", to_microseconds(kind.right)}});
    }
    for (const auto& wait : comparison.waits) {
        result["waits"].push_back(
            {{"call", wait.name},
             {"left_count", wait.left_count},
             {"right_count", wait.right_count},
             {"left_us", to_microseconds(wait.left)},
             {"right_us", to_microseconds(wait.right)},
             {"median_error", wait.median_error ? Json(rounded(*wait.median_error)) : Json()}});
    }
    for (const auto& operation : comparison.matched) {
        result["matched"].push_back(to_json(operation));
    }
    for (const auto& warning : comparison.warnings) {
        result["warnings"].push_back({{"code", warning.code}, {"text", warning.text}});
    }
    return written(result);
}

}  // namespace overcast
