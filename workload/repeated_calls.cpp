#include "workload/repeated_calls.hpp"

#include "core/overloaded.hpp"
#include "core/statistics.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace overcast {
namespace {

/// Kind of work, of copies their kinds of memory, and amount or kernel.
using Request = std::tuple<std::size_t, int, int, int, std::uint64_t>;

std::optional<Request> request_of(const Action& action) {
    return std::visit(
        Overloaded{[&](const Copy& copy) -> std::optional<Request> {
                       return Request{action.index(), static_cast<int>(copy.kind),
                                      static_cast<int>(copy.source),
                                      static_cast<int>(copy.destination), copy.bytes.count()};
                   },
                   [&](const Memset& memset) -> std::optional<Request> {
                       return Request{action.index(), 0, 0, 0, memset.bytes.count()};
                   },
                   [&](const KernelLaunch& launch) -> std::optional<Request> {
                       return Request{action.index(), 0, 0, 0, number(launch.kernel)};
                   },
                   [](const auto&) -> std::optional<Request> { return std::nullopt; }},
        action);
}

}  // namespace

std::vector<Duration> costs_when_repeated(const Workload& recorded) {
    std::map<Request, std::vector<Duration>> alike;
    for (const auto& operation : recorded.operations) {
        if (const auto request = request_of(operation.action)) {
            alike[*request].push_back(operation.call_cost);
        }
    }
    std::map<Request, Duration> usual;
    for (const auto& [request, costs] : alike) {
        usual[request] = median_of(costs);
    }
    std::vector<Duration> result;
    result.reserve(recorded.operations.size());
    for (const auto& operation : recorded.operations) {
        const auto request = request_of(operation.action);
        result.push_back(request ? std::min(operation.call_cost, usual.at(*request))
                                 : operation.call_cost);
    }
    return result;
}

}  // namespace overcast
