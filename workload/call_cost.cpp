#include "workload/call_cost.hpp"

#include <algorithm>

namespace overcast {

Duration cost_of(const CallCosts& costs, CallMeaning meaning) {
    switch (meaning) {
        case CallMeaning::copy: return costs.copy;
        case CallMeaning::memset: return costs.memset;
        case CallMeaning::kernel_launch:
        case CallMeaning::graph_launch: return costs.kernel_launch;
        case CallMeaning::event_record: return costs.event_record;
        case CallMeaning::event_wait: return costs.event_wait;
        case CallMeaning::host_function: return costs.host_function;
        case CallMeaning::synchronise_stream:
        case CallMeaning::synchronise_device:
        case CallMeaning::synchronise_event: return costs.synchronise;
        case CallMeaning::query_stream:
        case CallMeaning::query_event:
        case CallMeaning::release:
        case CallMeaning::allocation:
        case CallMeaning::recorder:
        case CallMeaning::noise:
        case CallMeaning::other: return costs.other;
    }
    return costs.other;
}

Duration tracing_share(const TracingCost& cost, CallMeaning meaning) {
    return std::max(cost_of(cost.traced.calls, meaning) - cost_of(cost.untraced, meaning),
                    Duration{});
}

Duration untraced_cost(Duration traced, const TracingCost& cost, CallMeaning meaning) {
    const auto usual = cost_of(cost.traced.calls, meaning);
    const auto share = tracing_share(cost, meaning);
    if (traced >= usual) {
        return traced - share;
    }
    return round_to_duration(static_cast<double>(traced.count()) *
                             static_cast<double>((usual - share).count()) /
                             static_cast<double>(usual.count()));
}

}  // namespace overcast
