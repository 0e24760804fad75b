#include "formats/chrome_header.hpp"

#include "formats/chrome_kernel_facts.hpp"
#include "formats/chrome_names.hpp"
#include "formats/json_object.hpp"
#include "formats/json_token.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
void put(Json& object, const char* key, const std::optional<Value>& value) {
    if (value) {
        object[key] = *value;
    }
}

template <typename Id>
std::optional<std::underlying_type_t<Id>> number_of(const std::optional<Id>& id) {
    return id ? std::optional{number(*id)} : std::nullopt;
}

std::optional<std::uint64_t> count_of(const std::optional<Bytes>& bytes) {
    return bytes ? std::optional{bytes->count()} : std::nullopt;
}

/// Text of the traced program may be in any encoding; what is no UTF-8 is replaced.
std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json quality_json(const TraceQuality& quality) {
    Json json{{"dropped_records", quality.dropped_records},
              {"zero_timestamps", quality.zero_timestamps},
              {"unfinished_records", quality.unfinished_records},
              {"truncated", quality.truncated}};
    if (quality.time_in_cupti) {
        json["time_in_cupti_ns"] = quality.time_in_cupti->count();
    }
    return json;
}

Json contexts_json(const Trace& trace) {
    auto list = Json::array();
    for (const auto& context : trace.contexts) {
        Json entry{{"context", number(context.context)}, {"device", number(context.device)}};
        put(entry, "null_stream", number_of(context.null_stream));
        list.push_back(std::move(entry));
    }
    return list;
}

Json streams_json(const Trace& trace) {
    auto list = Json::array();
    for (const auto& stream : trace.streams) {
        Json entry{{"context", number(stream.context)},
                   {"stream", number(stream.stream)},
                   {"flag", to_string(stream.flag)}};
        put(entry, "priority", stream.priority);
        list.push_back(std::move(entry));
    }
    return list;
}

Json warnings_json(const Warnings& warnings) {
    auto list = Json::array();
    for (const auto& warning : warnings) {
        list.push_back({{"code", warning.code}, {"text", warning.text}});
    }
    return list;
}

/// The device that did the work; a machine may have others.
std::string_view device_name(const Trace& trace) {
    for (const auto& device : trace.devices) {
        if (trace.activities.empty() || trace.activities.front().device == device.id) {
            return device.name;
        }
    }
    return "";
}

nlohmann::json parse(std::string_view json, const HeaderPlace& place) {
    try {
        return nlohmann::json::parse(json);
    } catch (const nlohmann::json::parse_error& error) {
        fail_at(place.file, {.byte = place.byte + error.byte, .event = std::nullopt},
                "this is no JSON");
    } catch (const nlohmann::json::exception&) {
        fail_at(place.file, {.byte = place.byte, .event = std::nullopt},
                "a number here is out of range");
    }
}

void check_version(const JsonObject& header) {
    const auto version = header.whole<int>("schema_version");
    if (!version) {
        header.fail("schema_version", "is missing");
    }
    if (*version < 1) {
        header.fail("schema_version", "must be 1 or more");
    }
    if (*version > kTraceSchemaVersion) {
        header.fail("schema_version",
                    fmt::format("is {}: this file was written by a newer Overcast, this one reads "
                                "version {}",
                                *version, kTraceSchemaVersion));
    }
    const auto kind = header.text("kind").value_or("trace");
    if (kind != "trace") {
        header.fail("kind", fmt::format("is {}: this file is not a recording but a result; give "
                                        "the trace that it was made from",
                                        kind));
    }
}

TraceTime read_time(const JsonObject& object, std::string_view key) {
    const auto value = object.whole<std::int64_t>(key);
    if (!value) {
        object.fail(key, "is missing");
    }
    if (Duration{*value} > kLatestOffset || Duration{*value} < kEarliestOffset) {
        object.fail(key, "is out of range");
    }
    return TraceTime{Duration{*value}};
}

void read_quality(const JsonObject& object, TraceQuality& quality) {
    quality.dropped_records = object.whole<std::uint64_t>("dropped_records").value_or(0);
    quality.zero_timestamps = object.whole<std::uint64_t>("zero_timestamps").value_or(0);
    quality.unfinished_records = object.whole<std::uint64_t>("unfinished_records").value_or(0);
    quality.truncated = object.truth("truncated");
    if (const auto time = object.whole<std::int64_t>("time_in_cupti_ns")) {
        quality.time_in_cupti = Duration{*time};
    }
}

void read_environment(const JsonObject& object, Trace& trace) {
    for (const auto& [name, value] : object.json().items()) {
        if (!value.is_string()) {
            object.fail(name, "must be a string");
        }
        trace.environment[name] = value.get<std::string>();
    }
}

template <typename Id>
Id required_id(const JsonObject& object, std::string_view key) {
    const auto value = object.id<Id>(key);
    if (!value) {
        object.fail(key, "is missing");
    }
    return *value;
}

void read_lists(const JsonObject& header, Trace& trace) {
    header.each("recorded_ranges", [&](const JsonObject& range) {
        const auto start = read_time(range, "start_ns");
        const auto end = read_time(range, "end_ns");
        if (end < start) {
            range.fail("end_ns", "is before start_ns");
        }
        trace.recorded_ranges.push_back({start, end});
    });
    header.each("contexts", [&](const JsonObject& context) {
        trace.contexts.push_back({.context = required_id<ContextId>(context, "context"),
                                  .device = required_id<DeviceId>(context, "device"),
                                  .null_stream = context.id<StreamId>("null_stream")});
    });
    header.each("streams", [&](const JsonObject& stream) {
        trace.streams.push_back({.context = required_id<ContextId>(stream, "context"),
                                 .stream = required_id<StreamId>(stream, "stream"),
                                 .flag = parse_stream_flag(stream.text("flag").value_or("")),
                                 .priority = stream.whole<std::int32_t>("priority")});
    });
    header.each("warnings", [&](const JsonObject& warning) {
        trace.warnings.push_back(
            {.code = warning.text("code").value_or(""), .text = warning.text("text").value_or("")});
    });
}

std::optional<Bytes> read_bytes(const JsonObject& object, std::string_view key) {
    const auto value = object.whole<std::uint64_t>(key);
    return value ? std::optional{Bytes{*value}} : std::nullopt;
}

DeviceProperties read_device(const JsonObject& object) {
    const auto number = [&](std::string_view key) { return object.whole<std::uint32_t>(key); };
    return {.id = required_id<DeviceId>(object, "id"),
            .name = object.text("name").value_or(""),
            .compute_capability_major = number("computeMajor"),
            .compute_capability_minor = number("computeMinor"),
            .multiprocessors = number("numSms"),
            .threads_per_multiprocessor = number("maxThreadsPerMultiprocessor"),
            .blocks_per_multiprocessor = number("overcast_blocks_per_multiprocessor"),
            .registers_per_multiprocessor = number("regsPerMultiprocessor"),
            .shared_memory_per_multiprocessor = read_bytes(object, "sharedMemPerMultiprocessor"),
            .shared_memory_per_block = read_bytes(object, "sharedMemPerBlockOptin"),
            .async_engines = number("overcast_async_engines"),
            .memory = read_bytes(object, "totalGlobalMem"),
            .l2_cache = read_bytes(object, "overcast_l2_cache_bytes"),
            .core_clock_khz = object.number("overcast_core_clock_khz"),
            .memory_bandwidth_bytes_per_s = object.number("overcast_memory_bandwidth_bytes_per_s"),
            .pcie_generation = number("overcast_pcie_generation"),
            .pcie_width = number("overcast_pcie_width")};
}

}  // namespace

std::string header_json(const Trace& trace, TraceTime base) {
    Json json{{"schema_version", kTraceSchemaVersion},
              {"kind", "trace"},
              {"producer", trace.producer},
              {"program", trace.program},
              {"date", trace.date}};
    json["device"] = device_name(trace);
    put(json, "driver_version", trace.driver_version);
    put(json, "cuda_version", trace.cuda_version);
    if (trace.record_mode) {
        json["record_mode"] = to_string(*trace.record_mode);
    }
    json["range"] = trace.range;
    json["environment"] = trace.environment;
    json["quality"] = quality_json(trace.quality);
    auto ranges = Json::array();
    for (const auto& range : trace.recorded_ranges) {
        ranges.push_back(
            {{"start_ns", (range.start - base).count()}, {"end_ns", (range.end - base).count()}});
    }
    json["recorded_ranges"] = std::move(ranges);
    json["contexts"] = contexts_json(trace);
    json["streams"] = streams_json(trace);
    if (!trace.counters.empty()) {
        json["counters"] = counters_json(trace);
    }
    if (!trace.code.empty()) {
        json["code"] = code_json(trace);
    }
    json["warnings"] = warnings_json(trace.warnings);
    return dump(json);
}

std::string timeline_header_json(const TimelineHeader& header) {
    const Json json{{"schema_version", kTraceSchemaVersion},
                    {"kind", "timeline"},
                    {"title", header.title},
                    {"device", header.device},
                    {"configuration", header.configuration},
                    {"wall_ns", header.timeline.wall.count()},
                    {"device_ns", header.timeline.device.count()},
                    {"warnings", warnings_json(header.timeline.warnings)}};
    return dump(json);
}

std::string device_properties_json(const Trace& trace) {
    auto list = Json::array();
    for (const auto& device : trace.devices) {
        Json json{{"id", number(device.id)}, {"name", device.name}};
        put(json, "totalGlobalMem", count_of(device.memory));
        put(json, "computeMajor", device.compute_capability_major);
        put(json, "computeMinor", device.compute_capability_minor);
        put(json, "numSms", device.multiprocessors);
        put(json, "maxThreadsPerMultiprocessor", device.threads_per_multiprocessor);
        put(json, "regsPerMultiprocessor", device.registers_per_multiprocessor);
        put(json, "sharedMemPerMultiprocessor", count_of(device.shared_memory_per_multiprocessor));
        put(json, "sharedMemPerBlockOptin", count_of(device.shared_memory_per_block));
        put(json, "overcast_blocks_per_multiprocessor", device.blocks_per_multiprocessor);
        put(json, "overcast_async_engines", device.async_engines);
        put(json, "overcast_l2_cache_bytes", count_of(device.l2_cache));
        put(json, "overcast_core_clock_khz", device.core_clock_khz);
        put(json, "overcast_memory_bandwidth_bytes_per_s", device.memory_bandwidth_bytes_per_s);
        put(json, "overcast_pcie_generation", device.pcie_generation);
        put(json, "overcast_pcie_width", device.pcie_width);
        list.push_back(std::move(json));
    }
    return dump(list);
}

void read_header(std::string_view json, const HeaderPlace& place, Trace& trace) {
    const auto parsed = parse(json, place);
    const JsonObject header{parsed, place.file, place.byte, "overcast"};
    check_version(header);
    trace.producer = header.text("producer").value_or("");
    trace.program = header.text("program").value_or("");
    trace.date = header.text("date").value_or("");
    trace.driver_version = header.text("driver_version");
    trace.cuda_version = header.text("cuda_version");
    trace.range = header.text("range").value_or("all");
    if (const auto mode = header.text("record_mode")) {
        trace.record_mode = record_mode(*mode);
        if (!trace.record_mode) {
            header.fail("record_mode",
                        fmt::format("must be one of {}", fmt::join(kRecordModes, ", ")));
        }
    }
    if (const auto environment = header.object("environment")) {
        read_environment(*environment, trace);
    }
    if (const auto quality = header.object("quality")) {
        read_quality(*quality, trace.quality);
    }
    read_lists(header, trace);
    read_counters(header, trace);
    read_code(header, trace);
}

void read_device_properties(std::string_view json, const HeaderPlace& place, Trace& trace) {
    // JsonObject reads lists as members: the list becomes one.
    const nlohmann::json wrapped{{"deviceProperties", parse(json, place)}};
    const JsonObject holder{wrapped, place.file, place.byte, "trace"};
    holder.each("deviceProperties",
                [&](const JsonObject& device) { trace.devices.push_back(read_device(device)); });
}

}  // namespace overcast
