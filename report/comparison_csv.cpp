#include "report/comparison_csv.hpp"

#include "report/csv_field.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::string stream_field(const std::optional<StreamId>& stream) {
    return stream ? std::to_string(number(*stream)) : "";
}

std::string time_field(TimelineTime time) {
    return fmt::format("{:.3f}", to_microseconds(time - TimelineTime{}));
}

/// Stream, call and device times of one side; all empty where it has none.
std::string side_fields(const std::optional<StreamId>& stream, const TimelineEntry* entry) {
    if (entry == nullptr) {
        return ",,,,";
    }
    return fmt::format("{},{},{},{},{}", stream_field(stream), time_field(entry->call_start),
                       time_field(entry->call_end),
                       entry->on_device ? time_field(entry->device_start) : "",
                       entry->on_device ? time_field(entry->device_end) : "");
}

std::string likeness_fields(const std::string& kind, const std::string& name,
                            std::uint64_t amount) {
    return fmt::format("{},{},{}", csv_field(kind), csv_field(name), amount);
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
    std::string result =
        "matched,kind,name,amount,left_stream,left_call_start_us,left_call_end_us,"
        "left_device_start_us,left_device_end_us,right_stream,right_call_start_us,"
        "right_call_end_us,right_device_start_us,right_device_end_us\n";
    for (const auto& each : comparison.matched) {
        result += fmt::format("both,{},{},{}\n", likeness_fields(each.kind, each.name, each.amount),
                              side_fields(each.left_stream, &each.left),
                              side_fields(each.right_stream, &each.right));
    }
    for (const auto& each : comparison.only_left) {
        result += fmt::format("left,{},{},{}\n", likeness_fields(each.kind, each.name, each.amount),
                              side_fields(each.stream, &each.entry), side_fields({}, nullptr));
    }
    for (const auto& each : comparison.only_right) {
        result +=
            fmt::format("right,{},{},{}\n", likeness_fields(each.kind, each.name, each.amount),
                        side_fields({}, nullptr), side_fields(each.stream, &each.entry));
    }
    return result;
}

}  // namespace overcast
