#include "workload/issued_calls.hpp"

#include "workload/call_cost.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace overcast {
namespace {

constexpr std::int32_t kNotReady = 600;  // cudaErrorNotReady, CUDA_ERROR_NOT_READY

bool is_recorders_own(OverheadKind kind) {
    switch (kind) {
        case OverheadKind::buffer_flush:
        case OverheadKind::instrumentation:
        case OverheadKind::resource:
        case OverheadKind::buffer_request: return true;
        case OverheadKind::unknown:
        case OverheadKind::driver_compiler:
        case OverheadKind::module_loading:
        case OverheadKind::lazy_loading:
        case OverheadKind::command_buffer_full: return false;
    }
    return false;
}

struct OverheadShare {
    Duration recorder{};
    Duration queue_full{};
    bool program = false;
};

/// The overhead records of one thread, asked for in ascending stretches of time.
class OverheadLog {
public:
    void add(const Overhead& overhead) { overheads_.push_back(&overhead); }

    OverheadShare within(TraceTime from, TraceTime to) {
        OverheadShare share;
        while (next_ < overheads_.size() && overheads_[next_]->end <= from) {
            ++next_;
        }
        for (auto i = next_; i < overheads_.size() && overheads_[i]->start < to; ++i) {
            const auto& overhead = *overheads_[i];
            const auto overlap = std::min(overhead.end, to) - std::max(overhead.start, from);
            if (overlap <= Duration{}) {
                continue;
            }
            if (is_recorders_own(overhead.kind)) {
                share.recorder += overlap;
            } else if (overhead.kind != OverheadKind::unknown) {
                share.program = true;
                share.queue_full +=
                    overhead.kind == OverheadKind::command_buffer_full ? overlap : Duration{};
            }
        }
        return share;
    }

private:
    std::vector<const Overhead*> overheads_;
    std::size_t next_ = 0;
};

/// What is known about one host thread while its calls are read.
struct HostThread {
    OverheadLog overheads;
    std::optional<TraceTime> last_return;
    TraceTime outer_end = TraceTime::min();
    std::optional<std::size_t> outer;  ///< position in the result, unless the call was left out
    Duration host_time{};              ///< since the last call that was kept
    Duration recorder_behind{};        ///< the last call: outside the time that it shows
    bool polling = false;
};

class CallReader {
public:
    CallReader(const Trace& trace, const TracePart& part, const Joins& joins,
               const TracingCost& cost)
        : trace_{trace}, part_{part}, joins_{joins}, cost_{cost}, meanings_(trace.names.size()) {
        for (const auto& overhead : trace.overheads) {
            if (overhead.thread) {
                threads_[*overhead.thread].overheads.add(overhead);
            }
        }
    }

    std::vector<IssuedCall> read() {
        calls_.reserve(trace_.api_calls.size());
        for (const auto& call : trace_.api_calls) {
            if (part_.process && call.process != *part_.process) {
                continue;
            }
            if (call.start >= part_.begin && call.start < part_.end) {
                read_call(call, thread_of(call.thread));
            }
        }
        return std::move(calls_);
    }

private:
    HostThread& thread_of(ThreadId id) {
        if (last_thread_ == nullptr || last_id_ != id) {
            last_thread_ = &threads_[id];
            last_id_ = id;
        }
        return *last_thread_;
    }

    CallMeaning meaning(NameId name) {
        auto& known = meanings_[index(name)];
        if (!known) {
            known = meaning_of(trace_.names[name]);
        }
        return *known;
    }

    void read_call(const ApiCall& call, HostThread& thread) {
        // Times rounded to microseconds may let one call seem to run into the next.
        if (call.start < thread.outer_end && call.end <= thread.outer_end) {
            read_inner_call(call, thread);
            return;
        }
        const auto what = meaning(call.name);
        const auto outside = read_time_before(call, what, thread);
        thread.last_return = call.end;
        thread.outer_end = call.end;
        thread.outer.reset();
        const auto inside = thread.overheads.within(call.start, call.end);
        const auto shown =
            std::max(call.end - call.start - inside.recorder - inside.queue_full, Duration{});
        const auto traced = shown + outside;
        if (polls(what) && call.return_value == kNotReady) {
            thread.polling = true;
            return;
        }
        const bool ends_polling = polls(what) && thread.polling;
        thread.polling = false;
        if (what == CallMeaning::recorder) {
            return;
        }
        if (what == CallMeaning::noise || (polls(what) && !ends_polling)) {
            thread.host_time += untraced_cost(traced, cost_, what);
            return;
        }
        thread.outer = calls_.size();
        keep(call, thread, kept_meaning(what), traced, inside.program);
    }

    /// Counts the time since the thread's last call as the program's, but for what the recorder
    /// took of it, which is the result: a part of the call that follows.
    Duration read_time_before(const ApiCall& call, CallMeaning what, HostThread& thread) {
        const auto half = cost_of(cost_.traced.between, what) / 2;
        const auto recorder = std::exchange(thread.recorder_behind, half) + half;
        if (!thread.last_return && !part_.begins_on_host) {
            return Duration{};
        }
        const auto since = thread.last_return.value_or(part_.begin);
        const auto gap = std::max(
            call.start - since - thread.overheads.within(since, call.start).recorder, Duration{});
        const auto outside = std::min(recorder, gap);
        if (!thread.polling) {
            thread.host_time += gap - outside;
        }
        return outside;
    }

    static CallMeaning kept_meaning(CallMeaning what) {
        switch (what) {
            case CallMeaning::query_stream: return CallMeaning::synchronise_stream;
            case CallMeaning::query_event: return CallMeaning::synchronise_event;
            default: return what;
        }
    }

    void keep(const ApiCall& call, HostThread& thread, CallMeaning what, Duration traced,
              bool held_up) {
        calls_.push_back({.start = call.start,
                          .end = call.end,
                          .correlation = call.correlation,
                          .host_before = thread.host_time,
                          .traced = traced,
                          .name = call.name,
                          .thread = call.thread,
                          .meaning = what,
                          .held_up = held_up,
                          .failed = call.return_value != 0,
                          .nominal_for = std::nullopt});
        thread.host_time = Duration{};
    }

    /// A driver call inside a runtime call: the outer one counts, and takes over what the inner one
    /// set in motion. Only the second such inner call becomes a call of its own, without cost.
    void read_inner_call(const ApiCall& call, HostThread& thread) {
        if (!joins_.any(call.correlation)) {
            return;
        }
        if (thread.outer) {
            auto& outer = calls_[*thread.outer];
            if (outer.correlation == call.correlation) {
                return;
            }
            if (!joins_.any(outer.correlation)) {
                outer.correlation = call.correlation;
                if (outer.meaning == CallMeaning::other) {
                    outer.meaning = kept_meaning(meaning(call.name));
                }
                return;
            }
        }
        auto point = call;
        point.end = point.start;
        keep(point, thread, kept_meaning(meaning(call.name)), Duration{}, false);
    }

    const Trace& trace_;
    const TracePart& part_;
    const Joins& joins_;
    const TracingCost& cost_;
    std::vector<std::optional<CallMeaning>> meanings_;
    std::map<ThreadId, HostThread> threads_;
    HostThread* last_thread_ = nullptr;
    ThreadId last_id_{};
    std::vector<IssuedCall> calls_;
};

/// Per activity: the start of the call that issued it; absent where the trace lacks that call.
std::vector<std::optional<TraceTime>> call_starts(const Trace& trace, const TracePart& part,
                                                  const Joins& joins) {
    std::vector<std::optional<TraceTime>> starts(trace.activities.size());
    for (const auto& call : trace.api_calls) {
        if (part.process && call.process != *part.process) {
            continue;
        }
        for (const auto i : joins.activities.find(call.correlation)) {
            if (!starts[i]) {
                starts[i] = call.start;
            }
        }
    }
    return starts;
}

/// An activity without a call may belong to another process: unless its context is one that the
/// calls of the chosen process use, and those of no other, it is left alone.
void leave_to_other_processes(const Trace& trace, const TracePart& part, const Joins& joins,
                              std::vector<std::optional<TraceTime>>& starts) {
    std::set<ContextId> own;
    std::set<ContextId> of_others;
    for (const auto& call : trace.api_calls) {
        for (const auto i : joins.activities.find(call.correlation)) {
            if (trace.activities[i].device == part.device) {
                (call.process == part.process ? own : of_others)
                    .insert(trace.activities[i].context);
            }
        }
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto& activity = trace.activities[i];
        if (!starts[i] &&
            (!own.contains(activity.context) || of_others.contains(activity.context))) {
            starts[i] = activity.start;
        }
    }
}

CallMeaning nominal_meaning(const DeviceActivity& activity) {
    if (std::holds_alternative<TracedCopy>(activity.what)) {
        return CallMeaning::copy;
    }
    return std::holds_alternative<TracedMemset>(activity.what) ? CallMeaning::memset
                                                               : CallMeaning::kernel_launch;
}

std::uint64_t stream_key(const DeviceActivity& activity) {
    return (std::uint64_t{number(activity.context)} << 32U) | number(activity.stream);
}

/// A recording that starts in the middle of a program finds work in the streams whose calls it did
/// not see: nothing of such a stream before it has a recorded call. `calls` are in the order of
/// their activities.
void mark_issued_before(const Trace& trace, const TracePart& part,
                        const std::vector<std::optional<TraceTime>>& starts,
                        std::vector<IssuedCall>& calls) {
    const bool calls_recorded =
        std::any_of(starts.begin(), starts.end(), [](const auto& start) { return start; });
    if (!calls_recorded) {
        return;
    }
    std::unordered_set<std::uint64_t> called;  // streams
    std::uint32_t next = 0;
    for (auto& call : calls) {
        for (; next < *call.nominal_for; ++next) {
            if (trace.activities[next].device == part.device && starts[next]) {
                called.insert(stream_key(trace.activities[next]));
            }
        }
        call.before_recording = !called.contains(stream_key(trace.activities[*call.nominal_for]));
    }
}

/// Nominal calls, each placed at its activity's start, or before the call of a later activity of
/// its stream where that was made earlier: stream order is issue order.
std::vector<IssuedCall> nominal_calls(const Trace& trace, const TracePart& part,
                                      const std::vector<std::optional<TraceTime>>& starts,
                                      ThreadId thread) {
    std::vector<IssuedCall> result;
    std::unordered_map<std::uint64_t, TraceTime> earliest_later_call;
    for (auto i = trace.activities.size(); i-- > 0;) {
        const auto& activity = trace.activities[i];
        if (activity.device != part.device) {
            continue;
        }
        const auto stream = stream_key(activity);
        const auto known = starts[i] ? *starts[i] : activity.start;
        const auto [place, added] = earliest_later_call.try_emplace(stream, known);
        place->second = std::min(place->second, known);
        if (starts[i] || activity.start < part.begin || activity.start >= part.end) {
            continue;
        }
        IssuedCall call;
        call.start = call.end = place->second;
        call.thread = thread;
        call.meaning = nominal_meaning(activity);
        call.nominal_for = static_cast<std::uint32_t>(i);
        result.push_back(call);
    }
    std::reverse(result.begin(), result.end());
    mark_issued_before(trace, part, starts, result);
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& left, const auto& right) { return left.start < right.start; });
    return result;
}

}  // namespace

std::optional<EventRecording> event_recording(const Trace& trace, const Joins& joins,
                                              CorrelationId correlation) {
    const auto found = joins.event_recordings.find(correlation);
    if (!found.empty()) {
        return trace.event_recordings[found.front()];
    }
    const auto told = joins.recordings_by_wait.find(correlation);
    if (told == joins.recordings_by_wait.end()) {
        return std::nullopt;
    }
    const auto& wait = *told->second;
    return EventRecording{.correlation = correlation,
                          .context = wait.context,
                          .stream = *wait.record_stream,
                          .event = wait.event.value_or(CudaEventId{}),
                          .event_sync = std::nullopt,
                          .device_time = std::nullopt};
}

std::vector<IssuedCall> issued_calls(const Trace& trace, const TracePart& part, const Joins& joins,
                                     const TracingCost& cost) {
    auto calls = CallReader{trace, part, joins, cost}.read();
    const auto by_start = [](const IssuedCall& left, const IssuedCall& right) {
        return left.start < right.start;
    };
    auto starts = call_starts(trace, part, joins);
    if (part.several_processes) {
        leave_to_other_processes(trace, part, joins, starts);
    }
    if (std::all_of(starts.begin(), starts.end(), [](const auto& s) { return s.has_value(); })) {
        return calls;
    }
    const auto thread = calls.empty() ? ThreadId{} : calls.front().thread;
    auto nominal = nominal_calls(trace, part, starts, thread);
    const auto middle = static_cast<std::ptrdiff_t>(nominal.size());
    nominal.insert(nominal.end(), calls.begin(), calls.end());
    std::inplace_merge(nominal.begin(), nominal.begin() + middle, nominal.end(), by_start);
    return nominal;
}

}  // namespace overcast
