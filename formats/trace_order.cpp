#include "formats/trace_order.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace overcast {
namespace {

template <typename List, typename Key>
void sort_list(List& list, Key key) {
    const auto before = [&](const auto& left, const auto& right) { return key(left) < key(right); };
    if (!std::is_sorted(list.begin(), list.end(), before)) {
        std::stable_sort(list.begin(), list.end(), before);
    }
}

template <typename List>
void shift_spans(List& list, Duration base) {
    for (auto& entry : list) {
        entry.start += base;
        entry.end += base;
    }
}

void shift(std::optional<TraceTime>& time, Duration base) {
    if (time) {
        *time += base;
    }
}

}  // namespace

void shift_times(Trace& trace, Duration base) {
    shift_spans(trace.recorded_ranges, base);
    shift_spans(trace.api_calls, base);
    shift_spans(trace.activities, base);
    shift_spans(trace.synchronisations, base);
    shift_spans(trace.overheads, base);
    shift_spans(trace.ranges, base);
    for (auto& activity : trace.activities) {
        shift(activity.queued, base);
        shift(activity.submitted, base);
    }
    for (auto& recording : trace.event_recordings) {
        shift(recording.device_time, base);
    }
    for (auto& operation : trace.memory_operations) {
        operation.time += base;
    }
}

void sort_by_start(Trace& trace) {
    const auto containing_first = [](const auto& entry) {
        return std::pair{entry.start, entry.start - entry.end};
    };
    const auto shorter_first = [](const auto& entry) { return std::pair{entry.start, entry.end}; };
    sort_list(trace.recorded_ranges, [](const auto& entry) { return entry.start; });
    sort_list(trace.api_calls, containing_first);
    sort_list(trace.ranges, containing_first);
    sort_list(trace.overheads, containing_first);
    sort_list(trace.activities, shorter_first);
    sort_list(trace.synchronisations, shorter_first);
    sort_list(trace.memory_operations, [](const auto& entry) { return entry.time; });
}

void determine_asynchronous(Trace& trace, const std::vector<std::size_t>& activities) {
    if (activities.empty()) {
        return;
    }
    std::unordered_map<std::uint64_t, NameId> calls;
    for (const auto& call : trace.api_calls) {
        // The runtime's name, where a runtime call contains a driver call.
        if (call.domain == ApiDomain::runtime || !calls.contains(number(call.correlation))) {
            calls[number(call.correlation)] = call.name;
        }
    }
    for (const auto index : activities) {
        auto& activity = trace.activities[index];
        const auto call = calls.find(number(activity.correlation));
        const bool asynchronous = call == calls.end() ||
                                  trace.names[call->second].find("Async") != std::string_view::npos;
        if (auto* copy = std::get_if<TracedCopy>(&activity.what)) {
            copy->asynchronous = asynchronous;
        } else if (auto* memset = std::get_if<TracedMemset>(&activity.what)) {
            memset->asynchronous = asynchronous;
        }
    }
}

}  // namespace overcast
