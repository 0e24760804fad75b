#include "workload/repeated_calls.hpp"

#include "core/statistics.hpp"
#include "workload/signatures.hpp"

#include <algorithm>

namespace overcast {

std::vector<Duration> costs_when_repeated(const Workload& recorded) {
    const auto items = work_items(recorded);
    std::vector<std::vector<Duration>> of_symbol;
    for (const auto& item : items) {
        of_symbol.resize(std::max<std::size_t>(of_symbol.size(), item.symbol + 1));
        of_symbol[item.symbol].push_back(recorded.operations[item.operation].call_cost);
    }
    std::vector<Duration> usual;
    for (const auto& costs : of_symbol) {
        usual.push_back(median_of(costs));
    }
    std::vector<Duration> result;
    for (const auto& operation : recorded.operations) {
        result.push_back(operation.call_cost);
    }
    for (const auto& item : items) {
        result[item.operation] = std::min(result[item.operation], usual[item.symbol]);
    }
    return result;
}

}  // namespace overcast
