#include "tracer/launcher/spool_records.hpp"

#include "core/utc_time.hpp"
#include "tracer/launcher/demangle.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <ctime>
#include <utility>

namespace overcast {
namespace {

// 36 years: no clock that starts with the machine gets there, and differences fit 64 bits.
constexpr std::uint64_t kLatest = std::uint64_t{1} << 60;

TraceTime time_of(std::uint64_t ns) { return TraceTime{Duration{static_cast<std::int64_t>(ns)}}; }

std::optional<TraceTime> optional_time(std::uint64_t ns) {
    return ns == 0 || ns > kLatest ? std::nullopt : std::optional{time_of(ns)};
}

template <typename Number>
std::optional<Number> known(Number value) {
    return value == 0 ? std::nullopt : std::optional{value};
}

std::string iso_date(std::uint64_t realtime_ns) {
    constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    return utc_time(static_cast<std::time_t>(realtime_ns / kNsPerSecond));
}

}  // namespace

void SpoolRecords::operator()(const spool::Text& text) {
    texts_.insert_or_assign(text.id, std::string{text.text});
}

void SpoolRecords::operator()(const spool::Information& information) {
    constexpr std::string_view kEnvironment = "env:";
    auto& trace = result_.trace;
    if (information.key == "command") {
        trace.program = information.value;
    } else if (information.key == "tracing-off") {
        result_.tracing_off = std::string{information.value};
    } else if (information.key == "counter-passes") {
        std::from_chars(information.value.data(),
                        information.value.data() + information.value.size(),
                        result_.counter_passes);
    } else if (information.key == "warning") {
        add_warning(trace.warnings, {"recorder", std::string{information.value}});
    } else if (information.key.starts_with(kEnvironment)) {
        trace.environment.emplace(information.key.substr(kEnvironment.size()), information.value);
    }
}

void SpoolRecords::operator()(const spool::Process& process) {
    result_.process = process.process;
    result_.started_ns = std::min(process.monotonic_ns, kLatest);
    result_.trace.date = iso_date(process.realtime_ns);
}

/// False, and counted, for a record of a damaged file.
bool SpoolRecords::is_possible(std::uint64_t start, std::uint64_t end) {
    const bool possible = start <= kLatest && end <= kLatest;
    result_.impossible_times += possible ? 0U : 1U;
    return possible;
}

void SpoolRecords::operator()(const spool::Api& api) {
    if (!is_possible(api.start, api.end)) {
        return;
    }
    result_.trace.api_calls.push_back(
        {time_of(api.start), time_of(api.end), CorrelationId{api.correlation}, name(api.name),
         ProcessId{api.process}, ThreadId{api.thread}, api.return_value,
         api.driver != 0 ? ApiDomain::driver : ApiDomain::runtime});
}

void SpoolRecords::operator()(const spool::Kernel& kernel) {
    TracedKernel traced;
    traced.name = kernel_name(kernel.name);
    traced.shape.grid = kernel.grid;
    traced.shape.block = kernel.block;
    traced.shape.cluster = kernel.cluster;
    traced.shape.registers_per_thread = kernel.registers_per_thread;
    traced.shape.static_shared_memory = Bytes{kernel.static_shared_memory};
    traced.shape.dynamic_shared_memory = Bytes{kernel.dynamic_shared_memory};
    traced.shape.executed_shared_memory = Bytes{kernel.executed_shared_memory};
    add(kernel.activity, traced, optional_time(kernel.queued), optional_time(kernel.submitted));
}

void SpoolRecords::operator()(const spool::Copy& copy) {
    TracedCopy traced;
    traced.kind = copy.kind;
    traced.source = copy.source;
    traced.destination = copy.destination;
    traced.asynchronous = copy.asynchronous != 0;
    traced.bytes = Bytes{copy.bytes};
    add(copy.activity, traced);
}

void SpoolRecords::operator()(const spool::Memset& memset) {
    TracedMemset traced;
    traced.bytes = Bytes{memset.bytes};
    traced.value = memset.value;
    traced.asynchronous = memset.asynchronous != 0;
    add(memset.activity, traced);
}

void SpoolRecords::operator()(const spool::CopyAddresses& addresses) {
    result_.addresses.insert_or_assign(CorrelationId{addresses.correlation}, addresses);
}

void SpoolRecords::operator()(const spool::Synchronisation& sync) {
    if (!is_possible(sync.start, sync.end)) {
        return;
    }
    Synchronisation traced;
    traced.start = time_of(sync.start);
    traced.end = time_of(sync.end);
    traced.correlation = CorrelationId{sync.correlation};
    traced.context = ContextId{sync.context};
    traced.kind = static_cast<SynchronisationKind>(sync.kind);
    if (sync.has_stream != 0) {
        traced.stream = StreamId{sync.stream};
    }
    if (sync.has_event != 0) {
        traced.event = CudaEventId{sync.event};
        traced.event_sync = EventSyncId{sync.event_sync};
    }
    result_.trace.synchronisations.push_back(traced);
}

void SpoolRecords::operator()(const spool::EventRecording& event) {
    result_.trace.event_recordings.push_back(
        {CorrelationId{event.correlation}, ContextId{event.context}, StreamId{event.stream},
         CudaEventId{event.event}, EventSyncId{event.event_sync},
         optional_time(event.device_time)});
}

void SpoolRecords::operator()(const spool::Stream& stream) {
    auto& streams = result_.trace.streams;
    const StreamProperties properties{ContextId{stream.context}, StreamId{stream.stream},
                                      static_cast<StreamFlag>(stream.flag), stream.priority};
    const auto same = std::ranges::find_if(streams, [&](const StreamProperties& other) {
        return other.context == properties.context && other.stream == properties.stream;
    });
    if (same == streams.end()) {
        streams.push_back(properties);
    } else {
        *same = properties;
    }
}

void SpoolRecords::operator()(const spool::Context& context) {
    result_.trace.contexts.push_back(
        {ContextId{context.context}, DeviceId{context.device}, StreamId{context.null_stream}});
}

void SpoolRecords::operator()(const spool::Device& device) {
    DeviceProperties properties;
    properties.id = DeviceId{device.device};
    properties.name = text(device.name);
    properties.compute_capability_major = device.capability_major;
    properties.compute_capability_minor = device.capability_minor;
    properties.multiprocessors = known(device.multiprocessors);
    properties.threads_per_multiprocessor = known(device.threads_per_multiprocessor);
    properties.blocks_per_multiprocessor = known(device.blocks_per_multiprocessor);
    properties.registers_per_multiprocessor = known(device.registers_per_multiprocessor);
    properties.async_engines = known(device.async_engines);
    if (device.shared_memory_per_multiprocessor != 0) {
        properties.shared_memory_per_multiprocessor =
            Bytes{device.shared_memory_per_multiprocessor};
    }
    // 48 KiB is what a kernel gets without asking; the limit for one that asks is not recorded
    // then.
    constexpr std::uint32_t kWithoutAsking = 48U << 10U;
    if (device.shared_memory_per_block > kWithoutAsking) {
        properties.shared_memory_per_block = Bytes{device.shared_memory_per_block};
    }
    if (device.memory != 0) {
        properties.memory = Bytes{device.memory};
    }
    if (device.l2_cache != 0) {
        properties.l2_cache = Bytes{device.l2_cache};
    }
    if (device.core_clock_khz != 0) {
        properties.core_clock_khz = device.core_clock_khz;
    }
    if (device.memory_bandwidth_kb_per_s != 0) {
        properties.memory_bandwidth_bytes_per_s =
            static_cast<double>(device.memory_bandwidth_kb_per_s) * 1e3;
    }
    result_.trace.devices.push_back(properties);
}

void SpoolRecords::operator()(const spool::Link& link) { result_.links.push_back(link); }

void SpoolRecords::operator()(const spool::MemoryOperation& memory) {
    if (!is_possible(memory.time, memory.time)) {
        return;
    }
    result_.trace.memory_operations.push_back(
        {time_of(memory.time), CorrelationId{memory.correlation}, ProcessId{memory.process},
         memory.kind, memory.release != 0, memory.asynchronous != 0, Address{memory.address},
         Bytes{memory.bytes}});
}

void SpoolRecords::operator()(const spool::Overhead& overhead) {
    if (!is_possible(overhead.start, overhead.end)) {
        return;
    }
    Overhead traced;
    traced.start = time_of(overhead.start);
    traced.end = time_of(overhead.end);
    traced.kind = static_cast<OverheadKind>(overhead.kind);
    if (overhead.thread != 0) {
        traced.thread = ThreadId{overhead.thread};
    }
    result_.trace.overheads.push_back(traced);
}

void SpoolRecords::operator()(const spool::Marker& marker) {
    if (!is_possible(marker.time, marker.time)) {
        return;
    }
    const bool starts = marker.edge == spool::MarkerEdge::start;
    result_.range_edges.push_back({time_of(marker.time), marker.id, starts, name(marker.name),
                                   ProcessId{marker.process}, ThreadId{marker.thread}});
}

void SpoolRecords::operator()(const spool::Quality& quality) {
    result_.trace.quality.dropped_records = quality.dropped_records;
    result_.zero_timestamps = quality.zero_timestamps;
}

void SpoolRecords::operator()(const spool::End& end) {
    result_.closed = true;
    if (end.signal != 0) {
        result_.signal = static_cast<int>(end.signal);
    }
}

/// "" for a number that no text came with.
std::string_view SpoolRecords::text(std::uint32_t id) const {
    const auto found = texts_.find(id);
    return found == texts_.end() ? std::string_view{} : found->second;
}

NameId SpoolRecords::name(std::uint32_t id) {
    const auto known = names_.find(id);
    return known != names_.end()
               ? known->second
               : names_.emplace(id, result_.trace.names.intern(text(id))).first->second;
}

NameId SpoolRecords::kernel_name(std::uint32_t id) {
    const auto known = kernel_names_.find(id);
    return known != kernel_names_.end()
               ? known->second
               : kernel_names_
                     .emplace(id, result_.trace.names.intern(demangled(std::string{text(id)})))
                     .first->second;
}

KernelCounters& SpoolRecords::counters_of(const spool::LaunchClass& of) {
    const auto name = kernel_name(of.name);
    auto& known = result_.trace.counters;
    const auto found = std::ranges::find_if(known, [&](const KernelCounters& counters) {
        return counters.name == name && counters.grid == of.grid && counters.block == of.block &&
               counters.dynamic_shared_memory.count() == of.dynamic_shared_memory;
    });
    if (found != known.end()) {
        return *found;
    }
    KernelCounters counters;
    counters.name = name;
    counters.grid = of.grid;
    counters.block = of.block;
    counters.dynamic_shared_memory = Bytes{of.dynamic_shared_memory};
    return known.emplace_back(counters);
}

void SpoolRecords::operator()(const spool::CountedLaunch& launch) {
    auto& counters = counters_of(launch.of);
    const auto before = static_cast<double>(counters.measured_launches++);
    for (std::size_t i = 0; i < kCounters; ++i) {
        const auto value = std::bit_cast<double>(launch.values[i]);
        if (std::isfinite(value)) {
            auto& mean = counters.values[i];
            mean = (mean.value_or(value) * before + value) / (before + 1);
        }
    }
}

void SpoolRecords::operator()(const spool::LaunchTotal& total) {
    counters_of(total.of).launches = total.launches;
}

void SpoolRecords::operator()(const spool::Code& code) {
    auto& read = result_.trace.code.emplace_back(code.code());
    read.name = kernel_name(code.name);
    read.pass = parse_pass(text(code.pass)).value_or(KernelPass{});
    read.start = parse_pass(text(code.start)).value_or(KernelPass{});
    read.end = parse_pass(text(code.end)).value_or(KernelPass{});
}

void SpoolRecords::add(const spool::Activity& common,
                       std::variant<TracedCopy, TracedMemset, TracedKernel> what,
                       std::optional<TraceTime> queued, std::optional<TraceTime> submitted) {
    if (!is_possible(common.start, common.end)) {
        return;
    }
    DeviceActivity activity;
    activity.start = time_of(common.start);
    activity.end = time_of(common.end);
    activity.correlation = CorrelationId{common.correlation};
    activity.device = DeviceId{common.device};
    activity.context = ContextId{common.context};
    activity.stream = StreamId{common.stream};
    const auto type = static_cast<ChannelType>(common.channel_type);
    if (type != ChannelType::unknown) {
        activity.channel = Channel{ChannelId{common.channel}, type};
    }
    activity.queued = queued;
    activity.submitted = submitted;
    if (common.graph != 0 || common.graph_node != 0) {
        activity.graph = GraphId{common.graph};
        activity.graph_node = GraphNodeId{common.graph_node};
    }
    activity.what = what;
    result_.trace.activities.push_back(activity);
}

}  // namespace overcast
