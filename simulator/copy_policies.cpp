#include "simulator/copy_policies.hpp"

#include <array>
#include <cstddef>
#include <tuple>

namespace overcast {
namespace {

bool nearer_channel(const ReadyCopy& left, const ReadyCopy& right) {
    return std::tie(left.late, left.steps) < std::tie(right.late, right.steps);
}

bool issued_first(const ReadyCopy& left, const ReadyCopy& right) {
    return std::tie(left.issued, left.operation) < std::tie(right.issued, right.operation);
}

bool ready_first(const ReadyCopy& left, const ReadyCopy& right) {
    return std::tie(left.ready, left.issued, left.operation) <
           std::tie(right.ready, right.issued, right.operation);
}

/// In the order of CopyService.
constexpr std::array<CopyPolicy, 4> kPolicies{{
    {.before = nearer_channel, .nearest = true, .shares = false},
    {.before = issued_first, .nearest = false, .shares = false},
    {.before = ready_first, .nearest = false, .shares = false},
    {.before = ready_first, .nearest = false, .shares = true},
}};

}  // namespace

const CopyPolicy& copy_policy(CopyService service) {
    return kPolicies[static_cast<std::size_t>(service)];
}

}  // namespace overcast
