#include "tracer/launcher/recorded_ranges.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace overcast {
namespace {

constexpr std::string_view kNvtx = "nvtx:";

using Ranges = std::vector<RecordedRange>;

bool contains(const Ranges& ranges, TraceTime time) {
    return std::ranges::any_of(ranges, [&](const RecordedRange& range) {
        return range.start <= time && time <= range.end;
    });
}

bool overlaps(const Ranges& ranges, TraceTime start, TraceTime end) {
    return std::ranges::any_of(ranges, [&](const RecordedRange& range) {
        return range.start <= end && start <= range.end;
    });
}

TraceTime end_of(const Trace& trace) {
    TraceTime last{};
    for (const auto& call : trace.api_calls) {
        last = std::max(last, call.end);
    }
    for (const auto& activity : trace.activities) {
        last = std::max(last, activity.end);
    }
    return last;
}

/// From the return of a start call to the making of the next stop call.
Ranges profiler_ranges(const Trace& trace) {
    Ranges ranges;
    bool is_open = false;
    TraceTime open{};
    for (const auto& call : trace.api_calls) {
        const auto name = trace.names[call.name];
        if (name == "cudaProfilerStart" || name == "cuProfilerStart") {
            open = is_open ? open : call.end;
            is_open = true;
        } else if (is_open && (name == "cudaProfilerStop" || name == "cuProfilerStop")) {
            ranges.push_back({open, call.start});
            is_open = false;
        }
    }
    if (is_open) {
        ranges.push_back({open, end_of(trace)});
    }
    return ranges;
}

Ranges nvtx_ranges(const Trace& trace, std::string_view name) {
    Ranges ranges;
    for (const auto& range : trace.ranges) {
        if (trace.names[range.name] == name) {
            ranges.push_back({range.start, range.end});
        }
    }
    return ranges;
}

void drop_outside(Trace& trace, const Ranges& ranges) {
    std::unordered_set<CorrelationId> all;
    std::unordered_set<CorrelationId> kept;
    for (const auto& call : trace.api_calls) {
        all.insert(call.correlation);
        if (contains(ranges, call.start)) {
            kept.insert(call.correlation);
        }
    }
    // What has no recorded call is placed by its own time.
    const auto outside = [&](CorrelationId correlation, TraceTime time) {
        return all.contains(correlation) ? !kept.contains(correlation) : !contains(ranges, time);
    };
    std::erase_if(trace.api_calls,
                  [&](const ApiCall& call) { return !contains(ranges, call.start); });
    std::erase_if(trace.activities, [&](const DeviceActivity& activity) {
        return outside(activity.correlation, activity.start);
    });
    std::erase_if(trace.synchronisations, [&](const Synchronisation& sync) {
        return outside(sync.correlation, sync.start);
    });
    // A wait inside may wait for an event recorded before.
    std::unordered_set<EventSyncId> awaited;
    for (const auto& sync : trace.synchronisations) {
        if (sync.event_sync) {
            awaited.insert(*sync.event_sync);
        }
    }
    std::erase_if(trace.event_recordings, [&](const EventRecording& event) {
        return !kept.contains(event.correlation) &&
               !(event.event_sync && awaited.contains(*event.event_sync));
    });
    const auto end =
        ranges.empty() ? TraceTime{} : std::ranges::max(ranges, {}, &RecordedRange::end).end;
    std::erase_if(trace.memory_operations,
                  [&](const MemoryOperation& memory) { return memory.time > end; });
    std::erase_if(trace.overheads, [&](const Overhead& overhead) {
        return !overlaps(ranges, overhead.start, overhead.end);
    });
    std::erase_if(trace.ranges, [&](const NamedRange& range) {
        return !overlaps(ranges, range.start, range.end);
    });
}

}  // namespace

void check_range(const std::string& range) {
    const bool named = range.starts_with(kNvtx) && range.size() > kNvtx.size();
    if (range != "all" && range != "profiler-api" && !named) {
        throw UsageError("unknown range '" + range + "': use all, profiler-api or nvtx:NAME");
    }
}

void keep_range(Trace& trace, const std::string& range) {
    check_range(range);
    trace.range = range;
    if (range == "all") {
        return;
    }
    if (range == "profiler-api") {
        trace.recorded_ranges = profiler_ranges(trace);
        if (trace.recorded_ranges.empty()) {
            add_warning(trace.warnings, {"empty-range",
                                         "the program never called cudaProfilerStart, so that the "
                                         "trace holds no work; record with --range all"});
        }
    } else {
        const auto name = std::string_view(range).substr(kNvtx.size());
        trace.recorded_ranges = nvtx_ranges(trace, name);
        if (trace.recorded_ranges.empty()) {
            add_warning(trace.warnings, {"empty-range", "the program has no NVTX range named '" +
                                                            std::string{name} +
                                                            "', so that the trace holds no work"});
        }
    }
    drop_outside(trace, trace.recorded_ranges);
}

}  // namespace overcast
