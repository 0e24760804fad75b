#include "workload/steady_calls.hpp"

#include "core/statistics.hpp"

#include <algorithm>
#include <unordered_map>

namespace overcast {
namespace {

constexpr std::size_t kFewestCalls = 8;

bool enqueues(const IssuedCall& call) {
    return call.meaning == CallMeaning::copy || call.meaning == CallMeaning::memset ||
           call.meaning == CallMeaning::kernel_launch;
}

Duration median(std::vector<Duration>& durations) {
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::nth_element(durations.begin(), middle, durations.end());
    return *middle;
}

void steady_own_work(std::vector<IssuedCall>& calls) {
    std::unordered_map<std::uint32_t, std::vector<Duration>> by_name;
    for (const auto& call : calls) {
        if (handles_memory(call.meaning)) {
            by_name[number(call.name)].push_back(call.own_work);
        }
    }
    struct Usual {
        Duration median{};
        Duration most{};
    };
    std::unordered_map<std::uint32_t, Usual> usual;
    for (const auto& [name, durations] : by_name) {
        if (durations.size() >= kFewestCalls) {
            usual[name] = {median_of(durations), 2 * percentile_of(durations, 75)};
        }
    }
    for (auto& call : calls) {
        const auto known =
            handles_memory(call.meaning) ? usual.find(number(call.name)) : usual.end();
        if (known != usual.end() && call.own_work > known->second.most) {
            call.own_work = known->second.median;
        }
    }
}

}  // namespace

void steady_calls(std::vector<IssuedCall>& calls) {
    std::unordered_map<std::uint32_t, std::vector<Duration>> by_name;
    for (const auto& call : calls) {
        if (enqueues(call) && !call.held_up && !call.nominal_for) {
            by_name[number(call.name)].push_back(call.traced);
        }
    }
    std::unordered_map<std::uint32_t, Duration> medians;
    for (auto& [name, durations] : by_name) {
        if (durations.size() >= kFewestCalls) {
            medians.emplace(name, median(durations));
        }
    }
    for (auto& call : calls) {
        const auto known = enqueues(call) ? medians.find(number(call.name)) : medians.end();
        if (known != medians.end() && call.traced > 2 * known->second) {
            call.traced = known->second;
        }
    }
    steady_own_work(calls);
}

}  // namespace overcast
