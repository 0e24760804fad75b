#include "formats/nsys_target.hpp"

#include "formats/json_token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace overcast {
namespace {

/// Names and values, as three tables of an export hold them; a name may stand there many times.
using Properties = std::multimap<std::string, std::string>;

Properties properties(const NsysSource& source, std::string_view table_name) {
    Properties result;
    SqliteTable table{source.database, table_name};
    const auto name = table.column("name");
    const auto value = table.column("value");
    while (table.next()) {
        if (const auto key = table.text(name)) {
            result.emplace(*key, table.text(value).value_or(""));
        }
    }
    return result;
}

std::optional<std::string> find(const Properties& properties, const std::string& name) {
    const auto found = properties.find(name);
    return found == properties.end() || found->second.empty() ? std::nullopt
                                                              : std::optional{found->second};
}

/// Exports give 0 for what is not known of a device.
template <typename Number>
std::optional<Number> unless_zero(std::optional<Number> number) {
    return number && *number != 0 ? number : std::nullopt;
}

/// The columns of a table of GPUs; names that a table does not use are empty.
struct GpuTable {
    std::string_view table;
    std::string_view id;
    std::string_view major;
    std::string_view minor;
    std::string_view multiprocessors;
    std::string_view warps;
    std::string_view warp_threads;
    std::string_view blocks;
    std::string_view registers;
    std::string_view shared_memory;
    std::string_view shared_memory_per_block;
    std::string_view copy_engines;
    std::string_view memory;
    std::string_view l2_cache;
    std::string_view clock_hz;
    std::string_view bytes_per_s;
};

// The second one was written until early 2021, with CUPTI's names; the units of its rates are not
// documented.
constexpr std::array kGpuTables{
    GpuTable{"TARGET_INFO_GPU", "id", "computeMajor", "computeMinor", "smCount", "maxWarpsPerSm",
             "threadsPerWarp", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm",
             "maxShmemPerBlockOptin", "asyncEngines", "totalMemory", "l2CacheSize", "clockRate",
             "memoryBandwidth"},
    GpuTable{"TARGET_INFO_CUDA_GPU", "deviceId", "computeCapabilityMajor", "computeCapabilityMinor",
             "numMultiprocessors", "maxWarpsPerMultiprocessor", "numThreadsPerWarp",
             "maxBlocksPerMultiprocessor", "maxRegistersPerMultiprocessor",
             "maxSharedMemoryPerMultiprocessor", "", "numMemcpyEngines", "globalMemorySize",
             "l2CacheSize", "", ""},
};

void read_devices(NsysSource& source, const GpuTable& names) {
    SqliteTable table{source.database, names.table};
    const auto id = table.column(names.id);
    const auto name = table.column("name");
    const auto small = [&](std::string_view title) {
        return [&table, column = table.column(title)] {
            return unless_zero(table.number<std::uint32_t>(column));
        };
    };
    const auto large = [&](std::string_view title) {
        return [&table, column = table.column(title)] {
            return unless_zero(table.number<std::uint64_t>(column));
        };
    };
    const auto bytes = [&](std::string_view title) {
        return [count = large(title)] {
            const auto given = count();
            return given ? std::optional{Bytes{*given}} : std::nullopt;
        };
    };
    const auto major = small(names.major);
    const auto minor = table.column(names.minor);
    const auto multiprocessors = small(names.multiprocessors);
    const auto warps = table.column(names.warps);
    const auto warp_threads = table.column(names.warp_threads);
    const auto blocks = small(names.blocks);
    const auto registers = small(names.registers);
    const auto shared_memory = bytes(names.shared_memory);
    const auto shared_memory_per_block = bytes(names.shared_memory_per_block);
    const auto copy_engines = small(names.copy_engines);
    const auto memory = bytes(names.memory);
    const auto l2_cache = bytes(names.l2_cache);
    const auto clock = large(names.clock_hz);
    const auto rate = large(names.bytes_per_s);
    while (table.next()) {
        auto& device = source.trace.devices.emplace_back();
        device.id = table.id<DeviceId>(id).value_or(DeviceId{});
        device.name = table.text(name).value_or("");
        device.compute_capability_major = major();
        device.compute_capability_minor =
            device.compute_capability_major ? table.number<std::uint32_t>(minor) : std::nullopt;
        device.multiprocessors = multiprocessors();
        const auto warps_per_sm = table.number<std::uint16_t>(warps);
        const auto threads_per_warp = table.number<std::uint16_t>(warp_threads);
        if (warps_per_sm && threads_per_warp) {
            device.threads_per_multiprocessor =
                unless_zero(std::optional{std::uint32_t{*warps_per_sm} * *threads_per_warp});
        }
        device.blocks_per_multiprocessor = blocks();
        device.registers_per_multiprocessor = registers();
        device.shared_memory_per_multiprocessor = shared_memory();
        device.shared_memory_per_block = shared_memory_per_block();
        device.async_engines = copy_engines();
        device.memory = memory();
        device.l2_cache = l2_cache();
        if (const auto hertz = clock()) {
            device.core_clock_khz = static_cast<double>(*hertz) / 1e3;
        }
        if (const auto per_second = rate()) {
            device.memory_bandwidth_bytes_per_s = static_cast<double>(*per_second);
        }
    }
}

void add_unnamed_devices(NsysSource& source) {
    auto& devices = source.trace.devices;
    std::set<DeviceId> unnamed;
    for (const auto& activity : source.trace.activities) {
        unnamed.insert(activity.device);
    }
    for (const auto& device : devices) {
        unnamed.erase(device.id);
    }
    for (const auto id : unnamed) {
        devices.emplace_back().id = id;
    }
    if (!unnamed.empty()) {
        add_warning(source.trace.warnings,
                    {.code = "unknown-device",
                     .text = "the export does not say what the GPU is (it has no row for it in "
                             "TARGET_INFO_GPU): name it with --device-model."});
    }
    if (const auto device = source.identities.doubtful_device()) {
        add_warning(source.trace.warnings,
                    {.code = "doubtful-device",
                     .text = fmt::format("several processes used a device {}, and the export does "
                                         "not say that it was the same GPU: it is taken to be.",
                                         number(*device))});
    }
}

ContextProperties* find_context(Trace& trace, ContextId id) {
    const auto found = std::ranges::find(trace.contexts, id, &ContextProperties::context);
    return found == trace.contexts.end() ? nullptr : &*found;
}

/// Where the work of a context was seen to run.
std::optional<DeviceId> device_of(const Trace& trace, ContextId context) {
    const auto found = std::ranges::find(trace.activities, context, &DeviceActivity::context);
    return found == trace.activities.end() ? std::nullopt : std::optional{found->device};
}

void read_contexts(NsysSource& source) {
    for (const auto* const name :
         {"TARGET_INFO_CUDA_CONTEXT_INFO", "TARGET_INFO_CUDA_NULL_STREAM"}) {
        SqliteTable table{source.database, name};
        const auto process = table.column("processId");
        const auto context = table.column("contextId");
        const auto device = table.column("deviceId");
        const auto null_stream =
            table.column(table.has("nullStreamId") ? "nullStreamId" : "streamId");
        while (table.next()) {
            const auto owner = table.id<ProcessId>(process).value_or(ProcessId{});
            const auto id =
                source.identities.context(owner, table.number<std::uint32_t>(context).value_or(0));
            const auto seen_as = table.number<std::uint32_t>(device);
            const auto on = seen_as ? std::optional{source.identities.device(owner, *seen_as)}
                                    : device_of(source.trace, id);
            if (find_context(source.trace, id) == nullptr && on) {
                source.trace.contexts.push_back(
                    {.context = id,
                     .device = *on,
                     .null_stream = unless_none<StreamId>(table.whole(null_stream))});
            }
        }
    }
}

void read_streams(NsysSource& source) {
    SqliteTable table{source.database, "TARGET_INFO_CUDA_STREAM"};
    const auto process = table.column("processId");
    const auto context = table.column("contextId");
    const auto stream = table.column("streamId");
    const auto flag = table.column("flag");
    const auto priority = table.column("priority");
    while (table.next()) {
        const auto id = unless_none<StreamId>(table.whole(stream));
        if (!id) {
            continue;
        }
        StreamProperties properties;
        properties.context =
            source.identities.context(table.id<ProcessId>(process).value_or(ProcessId{}),
                                      table.number<std::uint32_t>(context).value_or(0));
        properties.stream = *id;
        properties.flag =
            source.enumerations.streams.find(table.whole(flag)).value_or(StreamFlag::unknown);
        if (const auto value = table.whole(priority)) {
            // A negative priority is stored as the unsigned number of the same 32 bits.
            properties.priority = static_cast<std::int32_t>(static_cast<std::uint32_t>(*value));
        }
        source.trace.streams.push_back(properties);
    }
}

void assume_null_stream(Trace& trace, ContextId id, StreamId stream) {
    if (auto* const context = find_context(trace, id)) {
        context->null_stream = stream;
    } else if (const auto device = device_of(trace, id)) {
        trace.contexts.push_back({.context = id, .device = *device, .null_stream = stream});
    }
    add_warning(trace.warnings,
                {.code = "assumed-null-stream",
                 .text = fmt::format("stream {} of context {} is the only one that the export does "
                                     "not list: it is taken to be the default stream.",
                                     number(stream), number(id))});
}

/// A context creates its null stream by itself, which some exports do not list.
void complete_streams(NsysSource& source) {
    auto& trace = source.trace;
    std::map<ContextId, std::set<StreamId>> unlisted;
    for (const auto& activity : trace.activities) {
        unlisted[activity.context].insert(activity.stream);
    }
    std::set<ContextId> listing;
    for (const auto& stream : trace.streams) {
        listing.insert(stream.context);
        unlisted[stream.context].erase(stream.stream);
    }
    bool unknown = false;
    for (auto& [id, streams] : unlisted) {
        auto* const context = find_context(trace, id);
        if (context != nullptr && context->null_stream) {
            streams.erase(*context->null_stream);
            unknown = unknown || !streams.empty();
        } else if (listing.contains(id) && streams.size() == 1) {
            assume_null_stream(trace, id, *streams.begin());
        } else {
            unknown = unknown || streams.size() > 1;
        }
    }
    if (unknown) {
        add_warning(trace.warnings,
                    {.code = "unknown-streams",
                     .text = "the export does not say how some streams were created: they are "
                             "taken to wait for the default stream, as streams without flags do."});
    }
}

/// Variables of CUDA that change how work is put on the device.
bool changes_execution(std::string_view variable) {
    constexpr std::array<std::string_view, 4> kThese{"CUDA_DEVICE_MAX_CONNECTIONS",
                                                     "CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING",
                                                     "CUDA_VISIBLE_DEVICES"};
    return std::ranges::find(kThese, variable) != kThese.end();
}

/// The command of the first process that was started, and the variables that it was given.
void read_launch(NsysSource& source) {
    const auto capture = properties(source, "META_DATA_CAPTURE");
    auto& trace = source.trace;
    trace.program = find(capture, "PROCESS_0:COMMAND").value_or("");
    for (int i = 0;; ++i) {
        const auto argument = find(capture, fmt::format("PROCESS_0:ARGUMENT_{}", i));
        if (!argument) {
            break;
        }
        trace.program += " " + *argument;
    }
    const auto [first, last] = capture.equal_range("PROCESS_0:ENVIRONMENT_VARIABLE");
    for (auto place = first; place != last; ++place) {
        const std::string_view text = place->second;  // NAME="VALUE"
        const auto equals = text.find("=\"");
        if (equals != std::string_view::npos && text.ends_with('"') && text.size() > equals + 2 &&
            changes_execution(text.substr(0, equals))) {
            trace.environment[std::string{text.substr(0, equals)}] =
                text.substr(equals + 2, text.size() - equals - 3);
        }
    }
}

/// 13000 → "13.0"
std::string version_text(std::uint32_t number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

void read_session(NsysSource& source) {
    auto& trace = source.trace;
    const auto exported = properties(source, "META_DATA_EXPORT");
    trace.producer = "Nsight Systems";
    if (const auto version = find(exported, "EXPORT_PRODUCT_VERSION")) {
        trace.producer += " " + *version;
    }
    const auto system = properties(source, "TARGET_INFO_SYSTEM_ENV");
    trace.driver_version = find(system, "NvDriverVersion");
    if (const auto number =
            parse_whole<std::uint32_t>(find(system, "CudaDriverVersion").value_or(""))) {
        trace.cuda_version = version_text(*number);
    }
    SqliteTable table{source.database, "TARGET_INFO_SESSION_START_TIME"};
    const auto time = table.column("utcTime");
    if (table.next()) {
        trace.date = table.text(time).value_or("");
        if (!trace.date.empty() && !trace.date.ends_with('Z')) {
            trace.date += 'Z';
        }
    }
}

/// What nsys itself complained about, where it is about CUDA.
void repeat_diagnostics(NsysSource& source) {
    constexpr std::size_t kMost = 5;
    SqliteTable table{source.database, "DIAGNOSTIC_EVENT"};
    const auto severity = table.column("severity");
    const auto text = table.column("text");
    std::set<std::string> seen;
    while (table.next() && seen.size() < kMost) {
        const auto message = table.text(text);
        if (source.enumerations.troubles.find(table.whole(severity)).value_or(false) && message &&
            message->find("CUDA") != std::string_view::npos && seen.emplace(*message).second) {
            add_warning(source.trace.warnings,
                        {.code = "nsys-diagnostic",
                         .text = fmt::format("Nsight Systems says: {}", *message)});
        }
    }
}

}  // namespace

void read_nsys_target(NsysSource& source) {
    read_session(source);
    read_launch(source);
    for (const auto& table : kGpuTables) {
        if (source.trace.devices.empty()) {
            read_devices(source, table);
        }
    }
    add_unnamed_devices(source);
    read_contexts(source);
    read_streams(source);
    complete_streams(source);
    repeat_diagnostics(source);
}

}  // namespace overcast
