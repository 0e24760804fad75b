#include "workload/measured_timeline.hpp"

#include <algorithm>
#include <optional>

namespace overcast {
namespace {

Engine engine_of(const DeviceActivity& activity) {
    const auto* copy = std::get_if<TracedCopy>(&activity.what);
    if (copy == nullptr || (activity.channel && activity.channel->type == ChannelType::compute)) {
        return Engine::sm;
    }
    switch (copy->kind) {
        case CopyKind::host_to_device: return Engine::h2d;
        case CopyKind::device_to_host: return Engine::d2h;
        case CopyKind::host_to_host: return Engine::host;
        case CopyKind::device_to_device:
        case CopyKind::peer_to_peer: break;
    }
    return Engine::sm;
}

TimelineEntry entry_of(const Trace& trace, const OperationOrigin& origin, TraceTime zero) {
    TimelineEntry entry;
    entry.call_start = to_timeline(origin.call_start, zero);
    entry.call_end = to_timeline(origin.call_end, zero);
    entry.device_start = entry.call_end;
    entry.device_end = entry.call_end;
    if (origin.activity) {
        const auto& activity = trace.activities[*origin.activity];
        entry.device_start = to_timeline(activity.start, zero);
        entry.device_end = to_timeline(activity.end, zero);
        entry.channel = activity.channel ? activity.channel->id : ChannelId{};
        entry.engine = engine_of(activity);
        entry.waited_for = WaitReason::unknown;
        entry.on_device = true;
    }
    return entry;
}

}  // namespace

Timeline measured_timeline(const Trace& trace, const Workload& workload,
                           const std::vector<OperationOrigin>& origins, TraceTime zero) {
    Timeline timeline;
    timeline.entries.reserve(origins.size());
    std::optional<TimelineTime> device_start;
    TimelineTime device_end;
    std::optional<TimelineTime> last_wait;
    for (std::size_t i = 0; i < origins.size(); ++i) {
        const auto entry = entry_of(trace, origins[i], zero);
        timeline.entries.push_back(entry);
        if (entry.on_device) {
            device_start = std::min(device_start.value_or(entry.device_start), entry.device_start);
            device_end = std::max(device_end, entry.device_end);
        }
        if (synchronises(workload.operations[i].action)) {
            last_wait = std::max(last_wait.value_or(entry.call_end), entry.call_end);
        }
    }
    timeline.device = device_start ? device_end - *device_start : Duration{};
    // Work that nobody waits for ends the region when it ends; a blocking copy is waited for by its
    // own call, which returns after the device end.
    const auto& last = workload.operations.back();
    const bool ends_with_wait = synchronises(last.action);
    const bool ends_with_blocking_copy =
        std::holds_alternative<Copy>(last.action) && !std::get<Copy>(last.action).asynchronous;
    const auto last_return = timeline.entries.back().call_end;
    const auto end = ends_with_wait            ? *last_wait
                     : ends_with_blocking_copy ? std::max(last_return, device_end)
                                               : device_end;
    timeline.wall = end - TimelineTime{};
    return timeline;
}

}  // namespace overcast
