#include "workload/recorded_waits.hpp"

#include "core/statistics.hpp"
#include "workload/event_edges.hpp"

#include <algorithm>
#include <utility>

namespace overcast {
namespace {

using StreamKey = std::pair<ContextId, StreamId>;

/// The first activity of the call on the chosen device; null where there is none.
const DeviceActivity* activity_of(const Trace& trace, const TracePart& part, const Joins& joins,
                                  const IssuedCall& call) {
    if (call.nominal_for) {
        return &trace.activities[*call.nominal_for];
    }
    for (const auto i : joins.activities.find(call.correlation)) {
        if (trace.activities[i].device == part.device) {
            return &trace.activities[i];
        }
    }
    return nullptr;
}

bool holds_the_host(const DeviceActivity& activity) {
    const auto* copy = std::get_if<TracedCopy>(&activity.what);
    return copy != nullptr && (!copy->asynchronous || copy->source == MemoryKind::pageable ||
                               copy->destination == MemoryKind::pageable);
}

bool copies_to_device(const DeviceActivity& activity) {
    const auto* copy = std::get_if<TracedCopy>(&activity.what);
    return copy != nullptr && copy->kind == CopyKind::host_to_device;
}

/// Ends of what has been issued so far, by what a call may wait for.
class IssuedWork {
public:
    IssuedWork(const Trace& trace, const TracePart& part, const Joins& joins)
        : trace_{trace}, part_{part}, joins_{joins} {}

    /// When what `call` waits for had ended; then the call's own work counts as issued.
    std::optional<TraceTime> visit(const IssuedCall& call) {
        if (call.meaning == CallMeaning::event_record) {
            if (const auto recording = event_recording(trace_, joins_, call.correlation)) {
                events_.add(*recording);
                event_ends_.push_back(end_of(recording->context, recording->stream));
            }
            return std::nullopt;
        }
        auto awaited = awaited_by(call);
        for (const auto i : joins_.activities.find(call.correlation)) {
            if (!call.nominal_for) {
                issue(trace_.activities[i]);
            }
        }
        if (call.nominal_for) {
            issue(trace_.activities[*call.nominal_for]);
        }
        if (const auto* own = activity_of(trace_, part_, joins_, call);
            own != nullptr && holds_the_host(*own)) {
            awaited = own->end;
        }
        return awaited;
    }

private:
    std::optional<TraceTime> awaited_by(const IssuedCall& call) const {
        const auto found = joins_.synchronisations.find(call.correlation);
        const auto* record = found.empty() ? nullptr : &trace_.synchronisations[found.front()];
        switch (call.meaning) {
            case CallMeaning::synchronise_device:
            case CallMeaning::release: return last_;
            case CallMeaning::allocation: return awaited_by_allocation(call);
            case CallMeaning::synchronise_stream:
                return record != nullptr && record->stream
                           ? end_of(record->context, *record->stream)
                           : last_;
            case CallMeaning::synchronise_event:
                if (const auto event = record != nullptr ? events_.find(*record) : std::nullopt) {
                    return event_ends_[index(*event)];
                }
                return std::nullopt;
            default: return std::nullopt;
        }
    }

    /// Observed: on an H200 a cudaMalloc that maps new memory returns 10 to 14 us after the copies
    /// to the device that were issued before it, in whatever stream; beside kernels alone it does
    /// not wait, nor where it finds room in memory mapped earlier (3 to 5 us). Only the recording
    /// tells which it was: it waited if that explains most of what it took.
    std::optional<TraceTime> awaited_by_allocation(const IssuedCall& call) const {
        const bool maps_nothing = call.memory && !call.memory->maps;
        if (maps_nothing || !last_to_device_ || call.end < *last_to_device_ ||
            *last_to_device_ - call.start <= call.end - *last_to_device_) {
            return std::nullopt;
        }
        return last_to_device_;
    }

    void issue(const DeviceActivity& activity) {
        if (activity.device != part_.device) {
            return;
        }
        const auto later = [&](std::optional<TraceTime>& end) {
            end = std::max(end.value_or(activity.end), activity.end);
        };
        later(ends_[{activity.context, activity.stream}]);
        later(last_);
        if (copies_to_device(activity)) {
            later(last_to_device_);
        }
    }

    [[nodiscard]] std::optional<TraceTime> end_of(ContextId context, StreamId stream) const {
        const auto place = ends_.find({context, stream});
        return place == ends_.end() ? std::nullopt : place->second;
    }

    const Trace& trace_;
    const TracePart& part_;
    const Joins& joins_;
    std::map<StreamKey, std::optional<TraceTime>> ends_;
    std::optional<TraceTime> last_;
    std::optional<TraceTime> last_to_device_;
    EventEdges events_;
    std::vector<std::optional<TraceTime>> event_ends_;
};

std::optional<GapStatistics> statistics_of(const std::vector<Duration>& values) {
    if (values.empty()) {
        return std::nullopt;
    }
    return GapStatistics{percentile_of(values, 50), percentile_of(values, 10),
                         percentile_of(values, 90), values.size()};
}

bool waits_by_name(const IssuedCall& call) {
    return synchronises(call.meaning) || call.meaning == CallMeaning::release;
}

/// Latencies of the first work that an idle device was given, by what it was.
struct Starts {
    std::vector<Duration> kernels;
    std::vector<Duration> memsets;
    std::vector<Duration> copies;
    std::vector<Duration> inline_copies;
    std::vector<Duration> early_returns;

    void add(const IssuedCall& call, const DeviceActivity& activity) {
        // Clocks that are apart, or a call that returns late, must not make a cause follow its
        // effect.
        const auto latency = std::max(activity.start - call.end, Duration{});
        const auto* copy = std::get_if<TracedCopy>(&activity.what);
        if (copy == nullptr) {
            const bool memset = std::holds_alternative<TracedMemset>(activity.what);
            (memset ? memsets : kernels).push_back(latency);
            return;
        }
        if (copy->kind == CopyKind::host_to_device && copy->source == MemoryKind::pageable) {
            if (call.end > activity.start) {
                early_returns.push_back(std::max(activity.end - call.end, Duration{}));
            } else {
                inline_copies.push_back(latency);
            }
        } else if ((copy->kind == CopyKind::host_to_device ||
                    copy->kind == CopyKind::device_to_host) &&
                   call.end < activity.end) {
            copies.push_back(latency);
        }
    }
};

}  // namespace

void find_awaited(const Trace& trace, const TracePart& part, const Joins& joins,
                  std::vector<IssuedCall>& calls) {
    IssuedWork issued{trace, part, joins};
    for (auto& call : calls) {
        call.awaited = issued.visit(call);
    }
}

HostLatencies observe_latencies(const Trace& trace, const TracePart& part, const Joins& joins,
                                const std::vector<IssuedCall>& calls) {
    Starts starts;
    std::vector<Duration> wake_ups;
    std::optional<TraceTime> busy_until;
    for (const auto& call : calls) {
        if (synchronises(call.meaning) && waited(call)) {
            wake_ups.push_back(std::max(call.end - *call.awaited, Duration{}));
        }
        const auto* activity = activity_of(trace, part, joins, call);
        if (activity == nullptr) {
            continue;
        }
        if (!call.nominal_for && (!busy_until || *busy_until <= call.start)) {
            starts.add(call, *activity);
        }
        busy_until = std::max(busy_until.value_or(activity->end), activity->end);
    }
    return {.kernel_start = statistics_of(starts.kernels),
            .memset_start = statistics_of(starts.memsets),
            .copy_start = statistics_of(starts.copies),
            .inline_copy_start = statistics_of(starts.inline_copies),
            .wake_up = statistics_of(wake_ups),
            .early_return = statistics_of(starts.early_returns)};
}

bool waited(const IssuedCall& call) { return call.awaited && *call.awaited > call.start; }

void find_own_work(Duration wake_up, std::vector<IssuedCall>& calls) {
    for (auto& call : calls) {
        if (handles_memory(call.meaning)) {
            call.own_work = waited(call) ? std::max(call.end - *call.awaited - wake_up, Duration{})
                                         : call.traced;
        }
    }
}

std::map<NameId, Duration> idle_waits(const std::vector<IssuedCall>& calls) {
    std::map<NameId, std::vector<Duration>> durations;
    for (const auto& call : calls) {
        if (waits_by_name(call) && !waited(call)) {
            durations[call.name].push_back(call.traced);
        }
    }
    std::map<NameId, Duration> medians;
    for (const auto& [name, values] : durations) {
        medians[name] = median_of(values);
    }
    return medians;
}

}  // namespace overcast
