#include "formats/nsys_host_records.hpp"

#include "formats/chrome_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace overcast {
namespace {

/// The runtime's functions start with "cuda", the driver's with "cu".
ApiDomain domain_of(std::string_view call) {
    return call.starts_with("cuda") ? ApiDomain::runtime : ApiDomain::driver;
}

void read_calls(NsysSource& source) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_RUNTIME"};
    NsysColumns shared{source, table};
    const auto event_class = table.column("eventClass");
    const auto name = table.column("nameId");
    const auto result = table.column("returnValue");
    while (table.next()) {
        const auto span = shared.span();
        const auto call = source.string(table.whole(name));
        if (!span || !call) {
            continue;
        }
        source.trace.api_calls.push_back(
            {.start = span->start,
             .end = span->end,
             .correlation = shared.correlation(),
             .name = source.trace.names.intern(without_abi_suffix(*call)),
             .process = shared.process(),
             .thread = shared.thread().value_or(ThreadId{}),
             .return_value = table.number<std::int32_t>(result).value_or(0),
             .domain = source.enumerations.calls.find(table.whole(event_class))
                           .value_or(domain_of(*call))});
    }
    if (source.trace.api_calls.empty()) {
        add_warning(source.trace.warnings,
                    {.code = "missing-calls",
                     .text = "the export holds no CUDA calls: calls are given their nominal cost, "
                             "and the host's own time is taken as none. Record with nsys profile "
                             "--trace=cuda."});
    }
}

void read_synchronisations(NsysSource& source) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"};
    NsysColumns shared{source, table};
    const auto type = table.column("syncType");
    const auto old_type = table.column("deprecatedSyncType");
    const auto event = table.column("eventId");
    const auto event_sync = table.column("eventSyncId");
    std::uint64_t unknown = 0;
    while (table.next()) {
        const auto& kinds = source.enumerations.synchronisations;
        auto kind = kinds.find(table.whole(type));
        kind = kind ? kind : kinds.find(table.whole(old_type));
        if (!kind) {
            ++unknown;
            continue;
        }
        const auto span = shared.span();
        if (!span) {
            continue;
        }
        const auto sync = table.id<EventSyncId>(event_sync);
        source.trace.synchronisations.push_back(
            {.start = span->start,
             .end = span->end,
             .correlation = shared.correlation(),
             .context = shared.context(),
             .kind = *kind,
             .stream = *kind == SynchronisationKind::context ? std::nullopt : shared.stream(),
             .event = unless_none<CudaEventId>(table.whole(event)),
             .event_sync = sync && number(*sync) != 0 ? sync : std::nullopt,
             .record_correlation = std::nullopt});
    }
    if (unknown > 0) {
        add_warning(source.trace.warnings, {.code = "unknown-waits",
                                            .text = fmt::format("{} waits are of a kind that is "
                                                                "not known, and are left out.",
                                                                unknown)});
    }
}

void read_event_recordings(NsysSource& source) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_CUDA_EVENT"};
    NsysColumns shared{source, table};
    const auto timestamp = table.column("timestamp");
    const auto event = table.column("eventId");
    const auto event_sync = table.column("eventSyncId");
    while (table.next()) {
        const auto id = unless_none<CudaEventId>(table.whole(event));
        const auto stream = shared.stream();
        if (!id || !stream) {
            continue;
        }
        const auto sync = table.id<EventSyncId>(event_sync);
        const auto time = shared.time(timestamp);
        source.trace.event_recordings.push_back(
            {.correlation = shared.correlation(),
             .context = shared.context(),
             .stream = *stream,
             .event = *id,
             .event_sync = sync && number(*sync) != 0 ? sync : std::nullopt,
             .device_time = time && *time != TraceTime{} ? time : std::nullopt});
    }
}

/// Calls that record an event, or let a stream wait for one, say nothing of which by themselves.
void warn_of_missing_events(NsysSource& source) {
    const auto count = [&](std::string_view runtime, std::string_view driver) {
        return std::count_if(source.trace.api_calls.begin(), source.trace.api_calls.end(),
                             [&](const ApiCall& call) {
                                 const auto name = source.trace.names[call.name];
                                 return name.starts_with(runtime) || name.starts_with(driver);
                             });
    };
    auto& warnings = source.trace.warnings;
    if (source.trace.event_recordings.empty()) {
        if (const auto records = count("cudaEventRecord", "cuEventRecord"); records > 0) {
            add_warning(
                warnings,
                {.code = "missing-events",
                 .text = fmt::format("the export does not say what the {} calls of cudaEventRecord "
                                     "recorded, so waits for events are left out: record with nsys "
                                     "profile --cuda-event-trace=true.",
                                     records)});
        }
    }
    if (source.trace.synchronisations.empty()) {
        if (const auto waits = count("cudaStreamWaitEvent", "cuStreamWaitEvent"); waits > 0) {
            add_warning(warnings,
                        {.code = "missing-waits",
                         .text = fmt::format("the export does not say what the {} calls of "
                                             "cudaStreamWaitEvent waited for: these waits are left "
                                             "out.",
                                             waits)});
        }
    }
}

void read_ranges(NsysSource& source) {
    SqliteTable table{source.database, "NVTX_EVENTS"};
    NsysColumns shared{source, table};
    const auto type = table.column("eventType");
    const auto end = table.column("end");
    const auto text = table.column("text");
    const auto text_id = table.column("textId");
    std::uint64_t unfinished = 0;
    while (table.next()) {
        const auto kind = table.has("eventType")
                              ? source.enumerations.ranges.find(table.whole(type))
                              : NsysRange::push_pop;
        if (kind.value_or(NsysRange::other) == NsysRange::other) {
            continue;
        }
        if (!table.whole(end)) {
            ++unfinished;
            continue;
        }
        auto name = table.text(text);
        name = name ? name : source.string(table.whole(text_id));
        if (const auto span = shared.span(); span && name) {
            source.trace.ranges.push_back({.start = span->start,
                                           .end = span->end,
                                           .name = source.trace.names.intern(*name),
                                           .process = shared.process(),
                                           .thread = shared.thread().value_or(ThreadId{})});
        }
    }
    if (unfinished > 0) {
        add_warning(source.trace.warnings,
                    {.code = "unfinished-ranges",
                     .text = fmt::format("{} NVTX ranges do not end within the recording, and are "
                                         "left out.",
                                         unfinished)});
    }
}

/// Correlations of the calls whose name says that they return before their work is done.
std::unordered_set<std::uint64_t> asynchronous_calls(const Trace& trace) {
    std::unordered_set<std::uint64_t> result;
    for (const auto& call : trace.api_calls) {
        if (trace.names[call.name].find("Async") != std::string_view::npos) {
            result.insert(number(call.correlation));
        }
    }
    return result;
}

void read_memory(NsysSource& source) {
    SqliteTable table{source.database, "CUDA_GPU_MEMORY_USAGE_EVENTS"};
    if (!table.exists()) {
        return;
    }
    const auto asynchronous = asynchronous_calls(source.trace);
    NsysColumns shared{source, table};
    const auto time = table.column("start");
    const auto kind = table.column("memKind");
    const auto operation = table.column("memoryOperationType");
    const auto address = table.column("address");
    const auto bytes = table.column("bytes");
    while (table.next()) {
        const auto at = shared.time(time);
        const auto is_release = source.enumerations.releases.find(table.whole(operation));
        if (!at || !is_release) {
            continue;
        }
        const auto correlation = shared.correlation();
        source.trace.memory_operations.push_back(
            {.time = *at,
             .correlation = correlation,
             .process = shared.process(),
             .kind =
                 source.enumerations.memory.find(table.whole(kind)).value_or(MemoryKind::unknown),
             .release = *is_release,
             .asynchronous = asynchronous.contains(number(correlation)),
             .address = table.id<Address>(address).value_or(Address{}),
             .bytes = Bytes{table.number<std::uint64_t>(bytes).value_or(0)}});
    }
}

void read_overheads(NsysSource& source, std::string_view name) {
    SqliteTable table{source.database, name};
    NsysColumns shared{source, table};
    const auto type = table.column("overheadType");
    while (table.next()) {
        if (const auto span = shared.span()) {
            source.trace.overheads.push_back(
                {.start = span->start,
                 .end = span->end,
                 .kind = source.enumerations.overheads.find(table.whole(type))
                             .value_or(OverheadKind::unknown),
                 .thread = shared.thread()});
        }
    }
}

/// Versions differ in which of two tables has the overheads; some have them in both.
void read_all_overheads(NsysSource& source) {
    read_overheads(source, "CUPTI_ACTIVITY_KIND_OVERHEAD");
    read_overheads(source, "PROFILER_OVERHEAD");
    auto& overheads = source.trace.overheads;
    const auto key = [](const Overhead& overhead) {
        return std::tuple{overhead.start, overhead.end, overhead.kind, overhead.thread};
    };
    std::ranges::sort(overheads, {}, key);
    const auto [first, last] = std::ranges::unique(overheads, {}, key);
    overheads.erase(first, last);
}

}  // namespace

void read_nsys_host_records(NsysSource& source) {
    read_calls(source);
    read_synchronisations(source);
    read_event_recordings(source);
    warn_of_missing_events(source);
    read_ranges(source);
    read_memory(source);
    read_all_overheads(source);
}

}  // namespace overcast
