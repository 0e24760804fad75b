#include "tracer/launcher/api_pairs.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace overcast {
namespace {

using Correlations = std::unordered_map<CorrelationId, CorrelationId>;

template <typename List>
void hand_over(List& list, const Correlations& to_runtime) {
    for (auto& item : list) {
        if (const auto found = to_runtime.find(item.correlation); found != to_runtime.end()) {
            item.correlation = found->second;
        }
    }
}

}  // namespace

void join_api_pairs(Trace& trace) {
    auto& calls = trace.api_calls;
    // On one thread, an outer call comes before the calls inside it.
    std::ranges::stable_sort(calls, [](const ApiCall& left, const ApiCall& right) {
        return std::tuple(left.thread, left.start, right.end, left.domain) <
               std::tuple(right.thread, right.start, left.end, right.domain);
    });
    Correlations to_runtime;
    std::vector<ApiCall> kept;
    kept.reserve(calls.size());
    const ApiCall* outer = nullptr;
    for (const auto& call : calls) {
        if (call.domain == ApiDomain::runtime) {
            if (outer == nullptr || outer->thread != call.thread || call.end > outer->end) {
                outer = &call;
            }
        } else if (outer != nullptr && outer->thread == call.thread && call.start >= outer->start &&
                   call.end <= outer->end) {
            if (call.correlation != outer->correlation) {
                to_runtime.emplace(call.correlation, outer->correlation);
            }
            continue;
        }
        kept.push_back(call);
    }
    calls = std::move(kept);
    if (to_runtime.empty()) {
        return;
    }
    hand_over(trace.activities, to_runtime);
    hand_over(trace.synchronisations, to_runtime);
    hand_over(trace.event_recordings, to_runtime);
    hand_over(trace.memory_operations, to_runtime);
}

}  // namespace overcast
