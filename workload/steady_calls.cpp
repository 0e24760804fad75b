#include "workload/steady_calls.hpp"

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
}

}  // namespace overcast
