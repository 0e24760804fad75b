#include "workload/steady_calls.hpp"

#include "core/overloaded.hpp"
#include "core/statistics.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

namespace overcast {
namespace {

/// The first copy call takes so many times what later ones take, at most. Assumes: no more than
/// after a pause of 1 ms (probe first_calls: 1.5 to 3.9 on H200s).
constexpr int kCold = 2;

bool enqueues(const IssuedCall& call) {
    return call.meaning == CallMeaning::copy || call.meaning == CallMeaning::memset ||
           call.meaning == CallMeaning::kernel_launch;
}

/// Calls that ask for the same: name, kind of work, and amount or kernel.
using Request = std::tuple<NameId, std::size_t, std::uint64_t>;

Request request_of(const IssuedCall& call, const Trace& trace, const Joins& joins) {
    const auto activities = joins.activities.find(call.correlation);
    if (activities.empty()) {
        return {call.name, 0, 0};
    }
    constexpr std::size_t kCopyKinds = 8;
    const auto& what = trace.activities[activities.front()].what;
    return std::visit(
        Overloaded{[&](const TracedCopy& copy) {
                       return Request{call.name, 1 + static_cast<std::size_t>(copy.kind),
                                      copy.bytes.count()};
                   },
                   [&](const TracedMemset& memset) {
                       return Request{call.name, 1 + kCopyKinds, memset.bytes.count()};
                   },
                   [&](const TracedKernel& kernel) {
                       return Request{call.name, 2 + kCopyKinds, number(kernel.name)};
                   }},
        what);
}

/// Calls for memory that ask for the same: name, and whether a granule is mapped or unmapped (2
/// where that is not known).
using MemoryRequest = std::pair<NameId, int>;

MemoryRequest memory_request_of(const IssuedCall& call) {
    return {call.name, call.memory ? static_cast<int>(call.memory->maps) : 2};
}

void steady_own_work(std::vector<IssuedCall>& calls) {
    std::map<MemoryRequest, std::vector<Duration>> alike;
    for (const auto& call : calls) {
        if (handles_memory(call.meaning)) {
            alike[memory_request_of(call)].push_back(call.own_work);
        }
    }
    struct Usual {
        Duration median{};
        Duration most{};
    };
    std::map<MemoryRequest, Usual> usual;
    for (const auto& [request, durations] : alike) {
        if (durations.size() >= kFewestCalls) {
            usual[request] = {median_of(durations), 2 * percentile_of(durations, 75)};
        }
    }
    for (auto& call : calls) {
        const auto known =
            handles_memory(call.meaning) ? usual.find(memory_request_of(call)) : usual.end();
        if (known != usual.end() && call.own_work > known->second.most) {
            call.own_work = known->second.median;
        }
    }
}

}  // namespace

void steady_calls(std::vector<IssuedCall>& calls, const Trace& trace, const Joins& joins) {
    std::map<Request, std::vector<IssuedCall*>> alike;
    for (auto& call : calls) {
        if (enqueues(call) && !call.nominal_for) {
            alike[request_of(call, trace, joins)].push_back(&call);
        }
    }
    for (const auto& [request, members] : alike) {
        std::vector<Duration> durations;
        for (const auto* call : members) {
            if (!call->held_up) {
                durations.push_back(call->traced);
            }
        }
        if (durations.size() < kFewestCalls) {
            continue;
        }
        const auto usual = median_of(durations);
        for (auto* call : members) {
            if (4 * call->traced > 5 * usual) {
                const bool cold = call == members.front() && call->meaning == CallMeaning::copy;
                call->traced = cold ? std::min(call->traced, kCold * usual) : usual;
            }
        }
    }
    steady_own_work(calls);
}

}  // namespace overcast
