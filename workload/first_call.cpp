#include "workload/first_call.hpp"

#include "core/statistics.hpp"
#include "workload/host_calls.hpp"
#include "workload/steady_calls.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace overcast {
namespace {

std::optional<NameId> kernel_of(CorrelationId correlation, const Trace& trace, const Joins& joins) {
    const auto activities = joins.activities.find(correlation);
    if (activities.empty()) {
        return std::nullopt;
    }
    const auto* kernel = std::get_if<TracedKernel>(&trace.activities[activities.front()].what);
    return kernel != nullptr ? std::optional{kernel->name} : std::nullopt;
}

/// The host's time before each launch of the kernel, since its thread's last call returned or its
/// last named range began.
std::vector<Duration> before_launches(NameId kernel, const Trace& trace, const TracePart& part,
                                      const Joins& joins) {
    std::unordered_map<std::uint64_t, TraceTime> since;  // by thread
    std::vector<Duration> before;
    auto range = trace.ranges.begin();
    for (const auto& call : trace.api_calls) {
        for (; range != trace.ranges.end() && range->start <= call.start; ++range) {
            if (!part.process || range->process == *part.process) {
                auto& begin = since.try_emplace(number(range->thread), range->start).first->second;
                begin = std::max(begin, range->start);
            }
        }
        if ((part.process && call.process != *part.process) ||
            meaning_of(trace.names[call.name]) == CallMeaning::noise) {
            continue;
        }
        const auto [last, none_before] = since.try_emplace(number(call.thread), call.end);
        if (!none_before && call.start >= last->second &&
            kernel_of(call.correlation, trace, joins) == kernel) {
            before.push_back(call.start - last->second);
        }
        last->second = std::max(last->second, call.end);
    }
    return before;
}

}  // namespace

void steady_begin(IssuedCall& first, const Trace& trace, const TracePart& part,
                  const Joins& joins) {
    const auto kernel = kernel_of(first.correlation, trace, joins);
    if (!part.begins_on_host || !kernel) {
        return;
    }
    auto before = before_launches(*kernel, trace, part, joins);
    if (before.size() < kFewestCalls) {
        return;
    }
    const auto most = 2 * percentile_of(before, 25);
    if (first.host_before > most) {
        std::erase_if(before, [&](Duration each) { return each > most; });
        first.host_before = median_of(before);
    }
}

}  // namespace overcast
