#include "forecast/bound.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace overcast {
namespace {

using Interval = std::pair<TimelineTime, TimelineTime>;

/// An H2D copy may travel on a compute channel, where it holds neither the copy engine nor an SM.
bool travels_inline(const Operation& operation, const TimelineEntry& entry) {
    const auto* copy = std::get_if<Copy>(&operation.action);
    return copy != nullptr && copy->kind == CopyKind::host_to_device && entry.engine == Engine::sm;
}

Duration length_of_union(std::vector<Interval>& intervals) {
    if (!std::ranges::is_sorted(intervals)) {
        std::ranges::sort(intervals);
    }
    Duration total{};
    TimelineTime covered_to = TimelineTime::min();
    for (const auto& [start, end] : intervals) {
        if (end > covered_to) {
            total += end - std::max(start, covered_to);
            covered_to = end;
        }
    }
    return total;
}

/// When the engine held an operation, in any order.
std::vector<Interval> held_by(const Workload& workload, const Timeline& timeline, Engine engine) {
    std::vector<Interval> held;
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& entry = timeline.entries[i];
        if (entry.on_device && entry.engine == engine && entry.device_end > entry.device_start &&
            !travels_inline(workload.operations[i], entry)) {
            held.emplace_back(entry.device_start, entry.device_end);
        }
    }
    return held;
}

Duration device_busy(const Workload& workload, const Timeline& timeline, Engine engine) {
    auto held = held_by(workload, timeline, engine);
    return length_of_union(held);
}

Duration host_busy(const Workload& workload, const Timeline& timeline) {
    struct Thread {
        TimelineTime last_return{};
        Duration busy{};
    };
    std::vector<Thread> threads(workload.threads);
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& entry = timeline.entries[i];
        const auto& operation = workload.operations[i];
        auto& thread = threads[index(operation.thread)];
        // Whatever exceeds the thread's own time or the cost of the call is waiting.
        const auto own = std::min(entry.call_start - thread.last_return, operation.host_before);
        const auto in_call =
            std::min(entry.call_end - entry.call_start, operation.call_cost + operation.after_wait);
        thread.busy += std::max(own, Duration::zero()) + in_call;
        thread.last_return = entry.call_end;
    }
    Duration busiest{};
    for (const auto& thread : threads) {
        busiest = std::max(busiest, thread.busy);
    }
    return busiest;
}

}  // namespace

double share_of(Duration part, Duration whole) {
    if (whole <= Duration::zero()) {
        return 0;
    }
    return std::min(1.0, static_cast<double>(part.count()) / static_cast<double>(whole.count()));
}

Utilisation utilisation(const Workload& workload, const Timeline& timeline) {
    return {
        .h2d = share_of(device_busy(workload, timeline, Engine::h2d), timeline.device),
        .d2h = share_of(device_busy(workload, timeline, Engine::d2h), timeline.device),
        .sm = share_of(device_busy(workload, timeline, Engine::sm), timeline.device),
        .host = share_of(host_busy(workload, timeline), timeline.wall),
    };
}

double overlap(const Workload& workload, const Timeline& timeline) {
    std::vector<Interval> any;
    Duration sum{};
    for (const auto engine : {Engine::h2d, Engine::d2h, Engine::sm}) {
        auto held = held_by(workload, timeline, engine);
        sum += length_of_union(held);
        any.insert(any.end(), held.begin(), held.end());
    }
    const auto covered = length_of_union(any);
    return covered > Duration::zero()
               ? static_cast<double>((sum - covered).count()) / static_cast<double>(covered.count())
               : 0;
}

Bound bound_by(const Utilisation& shares) {
    const std::array<std::pair<double, Bound>, 4> engines{{{shares.h2d, Bound::h2d},
                                                           {shares.d2h, Bound::d2h},
                                                           {shares.sm, Bound::sm},
                                                           {shares.host, Bound::host}}};
    const auto busiest = std::ranges::max_element(engines, {}, &std::pair<double, Bound>::first);
    if (busiest->first < kBusyEnoughToBind) {
        return Bound::chain;
    }
    const double copying = std::max(shares.h2d, shares.d2h);
    if (busiest->second == Bound::sm && copying >= kBusyEnoughToBind &&
        shares.sm - copying < kResidencyMargin) {
        return shares.h2d >= shares.d2h ? Bound::h2d : Bound::d2h;
    }
    return busiest->second;
}

}  // namespace overcast
