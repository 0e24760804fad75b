// Which way to issue the work is fastest, and which simple one is nearly as fast.
#pragma once

#include "advise/scenario.hpp"
#include "core/diagnosis.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

struct SearchSpace {
    std::vector<std::uint32_t> streams{1, 2, 3, 4, 6, 8, 12, 16};
    std::vector<IssueOrder> orders{IssueOrder::depth, IssueOrder::breadth};
    std::vector<std::uint32_t> units_in_turn{2, 4};
    std::vector<std::uint32_t> max_connections{16, 32};
    std::vector<std::uint32_t> parts{2, 4, 8};  ///< empty: units are not cut
};

/// By so much slower than the best may be what is cheaper to program.
constexpr double kNearlyAsGood = 0.02;

struct FoundSchedules {
    Schedule best;
    /// Within kNearlyAsGood of the best: fewest streams; of those without another
    /// CUDA_DEVICE_MAX_CONNECTIONS, without several units in turn, depth before breadth.
    Schedule cheapest;
    std::optional<Schedule> cut;  ///< units cut into parts, if better than `best` by as much
    std::uint64_t played = 0;
};

/// Plays the work of `from` in every number of streams and order, then the best four of these with
/// several units in turn and with more connections, then cut into parts. Schedules that need more
/// memory than the GPU has are left out. Absent where there are no repeated units.
std::optional<FoundSchedules> search_schedules(const Scenario& from, const SearchSpace& space);

/// How `scenario` went.
Schedule as_schedule(const Scenario& scenario, const PlayedConfiguration& played);

}  // namespace overcast
