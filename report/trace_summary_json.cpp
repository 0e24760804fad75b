#include "report/trace_summary_json.hpp"

#include "report/csv_field.hpp"
#include "report/json_parts.hpp"
#include "report/trace_statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSummaryVersion = 1;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json bytes_json(const std::optional<Bytes>& bytes) {
    return bytes ? Json(bytes->count()) : Json(nullptr);
}

Json time_json(const std::optional<Duration>& time) {
    return time ? Json(to_microseconds(*time)) : Json(nullptr);
}

Json extent_json(const Extent& extent) { return Json::array({extent.x, extent.y, extent.z}); }

Bytes shared_memory(const KernelShape& shape) {
    return shape.static_shared_memory + shape.dynamic_shared_memory;
}

std::string_view flag_word(StreamFlag flag) {
    switch (flag) {
        case StreamFlag::unknown: return "unknown";
        case StreamFlag::blocking: return "blocking";
        case StreamFlag::non_blocking: return "non-blocking";
        case StreamFlag::legacy_default: return "legacy-default";
    }
    return "unknown";
}

Json devices_json(const Trace& trace) {
    auto result = Json::array();
    for (const auto& device : trace.devices) {
        result.push_back({{"id", number(device.id)},
                          {"name", device.name},
                          {"multiprocessors", or_null(device.multiprocessors)},
                          {"memory_bytes", bytes_json(device.memory)}});
    }
    return result;
}

/// By the names of docs/trace-format.md; null where none were read for this kernel.
Json counters_json(const Trace& trace, const KernelStatistics& kernel) {
    const auto found = std::ranges::find_if(trace.counters, [&](const KernelCounters& each) {
        return each.is_of(kernel.name, kernel.shape);
    });
    if (found == trace.counters.end()) {
        return nullptr;
    }
    auto result = Json::object();
    for (std::size_t i = 0; i < found->values.size(); ++i) {
        const auto counter = static_cast<KernelCounter>(i);
        if (const auto value = (*found)[counter]) {
            result[std::string{to_string(counter)}] = std::round(*value * 1e6) / 1e6;
        }
    }
    return result;
}

/// Likewise, of the kernel's machine code.
Json code_json(const Trace& trace, const KernelStatistics& kernel) {
    const auto found = std::ranges::find(trace.code, kernel.name, &KernelCode::name);
    if (found == trace.code.end()) {
        return nullptr;
    }
    Json result{{"instructions", found->instructions},
                {"cycles", found->cycles},
                {"memory_waits", found->memory_waits},
                {"global_bytes", found->global_bytes},
                {"barriers", found->barriers}};
    for (std::size_t i = 0; i < kCodeUnits; ++i) {
        const auto unit = static_cast<CodeUnit>(i);
        result[std::string{to_string(unit)}] = (*found)[unit];
    }
    return result;
}

Json kinds_json(const TraceStatistics& statistics) {
    auto result = Json::array();
    for (const auto& kind : statistics.kinds) {
        result.push_back({{"kind", kind.kind},
                          {"count", kind.count},
                          {"bytes", bytes_json(kind.bytes)},
                          {"total_us", to_microseconds(kind.total)},
                          {"median_us", to_microseconds(kind.median)}});
    }
    return result;
}

Json kernels_json(const Trace& trace, const TraceStatistics& statistics) {
    auto result = Json::array();
    for (const auto& kernel : statistics.kernels) {
        result.push_back({{"name", trace.names[kernel.name]},
                          {"grid", extent_json(kernel.shape.grid)},
                          {"block", extent_json(kernel.shape.block)},
                          {"registers_per_thread", kernel.shape.registers_per_thread},
                          {"shared_memory_bytes", shared_memory(kernel.shape).count()},
                          {"count", kernel.count},
                          {"total_us", to_microseconds(kernel.total)},
                          {"median_us", to_microseconds(kernel.median)},
                          {"counters", counters_json(trace, kernel)},
                          {"code", code_json(trace, kernel)}});
    }
    return result;
}

Json streams_json(const TraceStatistics& statistics) {
    auto result = Json::array();
    for (const auto& stream : statistics.streams) {
        result.push_back({{"stream", number(stream.stream)},
                          {"context", number(stream.context)},
                          {"flag", flag_word(stream.flag)},
                          {"priority", or_null(stream.priority)},
                          {"count", stream.count},
                          {"busy_us", to_microseconds(stream.busy)}});
    }
    return result;
}

Json calls_json(const Trace& trace, const TraceStatistics& statistics) {
    auto result = Json::array();
    for (const auto& call : statistics.calls) {
        result.push_back({{"name", trace.names[call.name]},
                          {"count", call.count},
                          {"total_us", to_microseconds(call.total)},
                          {"median_us", to_microseconds(call.median)}});
    }
    return result;
}

Json region_json(const std::optional<RegionSummary>& region) {
    if (!region) {
        return nullptr;
    }
    return {{"recorded_wall_us", to_microseconds(region->recorded_wall)},
            {"setup_us", to_microseconds(region->setup)},
            {"operations", region->operations},
            {"units", region->units},
            {"device_model", region->device_model},
            {"transfer_overlap_threshold_us", time_json(region->transfer_overlap_threshold)},
            {"overheads", overheads_json(region->overheads)}};
}

Json quality_json(const TraceQuality& quality) {
    return {{"dropped_records", quality.dropped_records},
            {"zero_timestamps", quality.zero_timestamps},
            {"unfinished_records", quality.unfinished_records},
            {"time_in_cupti_us", time_json(quality.time_in_cupti)},
            {"truncated", quality.truncated}};
}

Json record_mode_json(const std::optional<RecordMode>& mode) {
    return mode ? Json(to_string(*mode)) : Json(nullptr);
}

Json to_json(const SummarisedTrace& summarised) {
    const auto& trace = summarised.trace;
    const auto statistics = statistics_of(trace);
    return {{"schema_version", kSummaryVersion},
            {"trace", trace.source},
            {"program", trace.program},
            {"producer", trace.producer},
            {"date", trace.date},
            {"range", trace.range},
            {"record_mode", record_mode_json(trace.record_mode)},
            {"driver_version", or_null(trace.driver_version)},
            {"cuda_version", or_null(trace.cuda_version)},
            {"environment", Json(trace.environment)},
            {"devices", devices_json(trace)},
            {"device_operations", statistics.device_operations},
            {"device_span_us", to_microseconds(statistics.device_span)},
            {"kinds", kinds_json(statistics)},
            {"kernels", kernels_json(trace, statistics)},
            {"streams", streams_json(statistics)},
            {"calls", calls_json(trace, statistics)},
            {"region", region_json(summarised.region)},
            {"quality", quality_json(trace.quality)},
            {"warnings", warnings_json(summarised.warnings)}};
}

std::string extent_words(const Extent& extent) {
    return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

/// What a row of the CSV holds behind the name of its trace.
struct Row {
    std::string_view section;
    std::string_view name;
    std::string shape;
    std::uint64_t count = 0;
    std::optional<Bytes> bytes;
    Duration total{};
    std::optional<Duration> median;
};

std::string csv_row(const Trace& trace, const Row& row) {
    return fmt::format("{},{},{},{},{},{},{:.3f},{}\n", csv_field(trace.source), row.section,
                       csv_field(row.name), csv_field(row.shape), row.count,
                       row.bytes ? std::to_string(row.bytes->count()) : "",
                       to_microseconds(row.total),
                       row.median ? fmt::format("{:.3f}", to_microseconds(*row.median)) : "");
}

}  // namespace

std::string trace_summary_json(const SummarisedTrace& summarised) {
    return json_text(to_json(summarised));
}

std::string trace_summaries_json(const std::vector<std::string>& objects) {
    Json result = {{"schema_version", kSummaryVersion}, {"results", Json::array()}};
    for (const auto& object : objects) {
        result["results"].push_back(Json::parse(object));
    }
    return json_text(result);
}

std::string trace_summary_csv_titles() {
    return "trace,section,name,shape,count,bytes,total_us,median_us\n";
}

std::string trace_summary_csv_rows(const SummarisedTrace& summarised) {
    const auto& trace = summarised.trace;
    const auto statistics = statistics_of(trace);
    std::string text;
    for (const auto& kind : statistics.kinds) {
        text += csv_row(trace,
                        {"kind", kind.kind, "", kind.count, kind.bytes, kind.total, kind.median});
    }
    for (const auto& kernel : statistics.kernels) {
        const auto shape = extent_words(kernel.shape.grid) + " " + extent_words(kernel.shape.block);
        text += csv_row(trace, {"kernel", trace.names[kernel.name], shape, kernel.count,
                                std::nullopt, kernel.total, kernel.median});
    }
    for (const auto& stream : statistics.streams) {
        const auto name = std::to_string(number(stream.stream));
        text += csv_row(
            trace, {"stream", name, "", stream.count, std::nullopt, stream.busy, std::nullopt});
    }
    for (const auto& call : statistics.calls) {
        text += csv_row(trace, {"call", trace.names[call.name], "", call.count, std::nullopt,
                                call.total, call.median});
    }
    return text;
}

}  // namespace overcast
