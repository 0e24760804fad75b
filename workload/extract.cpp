#include "workload/extract.hpp"

#include "core/error.hpp"
#include "workload/first_call.hpp"
#include "workload/granules.hpp"
#include "workload/issued_calls.hpp"
#include "workload/measured_timeline.hpp"
#include "workload/memory_needs.hpp"
#include "workload/operation_builder.hpp"
#include "workload/overheads.hpp"
#include "workload/recorded_doubts.hpp"
#include "workload/recorded_waits.hpp"
#include "workload/steady_calls.hpp"
#include "workload/trace_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <unordered_map>

namespace overcast {
namespace {

/// Whether a call puts work on the chosen device.
bool enqueues(const IssuedCall& call, const Trace& trace, const TracePart& part,
              const Joins& joins) {
    if (call.nominal_for) {
        return true;
    }
    const auto activities = joins.activities.find(call.correlation);
    return std::any_of(activities.begin(), activities.end(),
                       [&](std::uint32_t i) { return trace.activities[i].device == part.device; });
}

/// First enqueuing call to last synchronisation, or to the last enqueuing call if none follows.
std::span<const IssuedCall> find_region(const std::vector<IssuedCall>& calls, const Trace& trace,
                                        const TracePart& part, const Joins& joins) {
    const auto first = std::find_if(calls.begin(), calls.end(), [&](const auto& call) {
        return enqueues(call, trace, part, joins);
    });
    if (first == calls.end()) {
        throw Error(fmt::format(
            "{}: the chosen part holds no copy, memset or kernel, so there is nothing to predict; "
            "choose another --range, --device or --process",
            trace.source));
    }
    const auto last = std::find_if(calls.rbegin(), calls.rend(), [&](const auto& call) {
        return synchronises(call.meaning) || enqueues(call, trace, part, joins);
    });
    return {first, last.base()};
}

std::optional<std::uint32_t> max_connections(const Trace& trace) {
    const auto place = trace.environment.find("CUDA_DEVICE_MAX_CONNECTIONS");
    if (place == trace.environment.end()) {
        return std::nullopt;
    }
    const auto& text = place->second;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && value > 0 ? std::optional{value} : std::nullopt;
}

/// Device memory, up to the end of the region.
struct DeviceMemory {
    std::optional<Bytes> peak;     ///< the most that was allocated at one time
    std::vector<HeldMemory> held;  ///< not released by then
};

DeviceMemory device_memory(const Trace& trace, const TracePart& part, TraceTime end) {
    std::unordered_map<Address, std::uint64_t> live;
    std::uint64_t sum = 0;
    DeviceMemory memory;
    for (const auto& operation : trace.memory_operations) {
        if (operation.kind != MemoryKind::device || operation.time > end ||
            (part.process && operation.process != *part.process)) {
            continue;
        }
        auto& bytes = live[operation.address];
        sum -= bytes;
        bytes = operation.release ? 0 : operation.bytes.count();
        sum += bytes;
        memory.peak = std::max(memory.peak.value_or(Bytes{}), Bytes{sum});
    }
    for (const auto& [address, bytes] : live) {
        if (bytes > 0) {
            memory.held.push_back({address, Bytes{bytes}});
        }
    }
    return memory;
}

DeviceProperties properties_of(const Trace& trace, DeviceId id) {
    for (const auto& device : trace.devices) {
        if (device.id == id) {
            return device;
        }
    }
    DeviceProperties unknown;
    unknown.id = id;
    return unknown;
}

/// From the process's first recorded call to the region.
Duration set_up_time(const Trace& trace, const TracePart& part, TraceTime region_start) {
    for (const auto& call : trace.api_calls) {
        if (!part.process || call.process == *part.process) {
            return std::max(region_start - call.start, Duration{});
        }
    }
    return {};
}

/// NVTX ranges as stretches of the operation list; those without an operation are left out.
void add_ranges(const Trace& trace, const TracePart& part, const OperationBuilder& builder,
                Workload& workload) {
    const auto& origins = builder.origins();
    const auto position = [&](TraceTime time) {
        return static_cast<std::size_t>(
            std::partition_point(origins.begin(), origins.end(),
                                 [&](const auto& origin) { return origin.call_start < time; }) -
            origins.begin());
    };
    for (const auto& range : trace.ranges) {
        if (part.process && range.process != *part.process) {
            continue;
        }
        const auto thread = builder.thread_index(range.thread);
        const auto begin = position(range.start);
        const auto end = position(range.end);
        if (thread && begin < end) {
            workload.ranges.push_back(
                {workload.names.intern(trace.names[range.name]), *thread, begin, end});
        }
    }
}

}  // namespace

Extraction extract(const Trace& trace, const TracingCost& tracing_cost,
                   const ExtractOptions& options) {
    Extraction result;
    auto& workload = result.workload;
    const auto part = choose_part(trace, options, workload.warnings);
    const Joins joins{trace};
    auto calls = issued_calls(trace, part, joins, tracing_cost);
    const auto blocks = find_blocks(trace, part, calls);
    find_awaited(trace, part, joins, calls);
    result.latencies = observe_latencies(trace, part, joins, calls);
    const auto& wake_up = result.latencies.wake_up;
    find_own_work(wake_up ? wake_up->median : Duration{}, calls);
    std::optional<RecordedTimes> times;
    if (options.as_recorded) {
        times = RecordedTimes{result.latencies, idle_waits(calls)};
    } else if (!options.keep_held_up) {
        steady_calls(calls, trace, joins);
    }
    const auto region = find_region(calls, trace, part, joins);
    if (!times && !options.keep_held_up) {
        steady_begin(calls[static_cast<std::size_t>(region.data() - calls.data())], trace, part,
                     joins);
    }

    OperationBuilder builder{trace, part, joins, tracing_cost, times ? &*times : nullptr, workload};
    builder.build(region);
    learn_mapping(blocks, region.front().start, workload);
    for (auto& kernel : workload.kernels) {
        if (options.ignore_counters) {
            kernel.counters.reset();
        }
        if (options.ignore_code) {
            kernel.code.reset();
        }
    }
    workload.device = properties_of(trace, part.device);
    workload.call_costs = tracing_cost.untraced;
    workload.recorded_streams = static_cast<std::uint32_t>(workload.streams.size());
    workload.setup = set_up_time(trace, part, region.front().start);
    const auto memory = device_memory(trace, part, region.back().end);
    workload.device_bytes = memory.peak;
    workload.round = round_memory(workload, memory.held);
    workload.max_connections = max_connections(trace);
    workload.warm = part.warm;
    workload.contended = options.as_recorded && workload.streams.size() > 1;
    add_ranges(trace, part, builder, workload);
    warn_of_recorded_doubts(trace, part, builder.origins(), workload);

    result.region_start = begin_of(region, part);
    result.measured = measured_timeline(trace, workload, builder.origins(), result.region_start);
    result.overheads =
        same_stream_gaps(trace, workload, builder.origins(), tracing_cost.traced.gaps);
    return result;
}

}  // namespace overcast
