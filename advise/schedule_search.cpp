#include "advise/schedule_search.hpp"

#include "forecast/bound.hpp"
#include "forecast/parallel.hpp"

#include <algorithm>
#include <tuple>

namespace overcast {
namespace {

/// More operations are played one configuration after the other, in fewer configurations.
constexpr std::size_t kMostAtOnce = 20'000;
constexpr std::size_t kMostForAll = 200'000;
constexpr std::size_t kRefined = 4;

struct Candidate {
    Configuration configuration;
    std::optional<std::uint32_t> max_connections;
    std::optional<Schedule> schedule = std::nullopt;  ///< once played
};

bool fits(const PlayedConfiguration& played) {
    const auto& available = played.workload.device.memory;
    return !available || played.workload.device_bytes.value_or(Bytes{}) <= *available;
}

class Search {
public:
    Search(const Scenario& from, const SearchSpace& space) : from_{from}, space_{space} {
        if (from.workload.operations.size() > kMostForAll) {
            space_.streams = {1, 2, 4, 8};
            space_.units_in_turn.clear();
            space_.max_connections.clear();
            space_.parts.clear();
        }
    }

    std::optional<FoundSchedules> find() {
        play(first_round());
        if (candidates_.empty()) {
            return std::nullopt;
        }
        play(second_round());
        const auto whole = ranked();
        FoundSchedules found{*whole.front().schedule, cheapest(whole), std::nullopt, 0};
        const auto uncut = candidates_.size();
        play(in_parts());
        for (std::size_t i = uncut; i < candidates_.size(); ++i) {
            const auto& schedule = *candidates_[i].schedule;
            const auto limit = found.cut ? found.cut->wall : nearly(found.best.wall, -1);
            if (schedule.wall < limit) {
                found.cut = schedule;
            }
        }
        found.played = played_;
        return found;
    }

private:
    [[nodiscard]] Candidate candidate(std::uint32_t streams, IssueOrder order) const {
        Candidate result;
        result.configuration.transform = Transform::distribute;
        result.configuration.sync = SyncPolicy::keep;
        result.configuration.streams = streams;
        result.configuration.order = order;
        result.max_connections = from_.workload.max_connections;
        return result;
    }

    [[nodiscard]] std::vector<Candidate> first_round() const {
        std::vector<Candidate> round;
        for (const auto streams : space_.streams) {
            if (streams > std::max(from_.workload.units, 1U)) {
                continue;
            }
            for (const auto order : space_.orders) {
                if (streams > 1 || order == space_.orders.front()) {
                    round.push_back(candidate(streams, order));
                }
            }
        }
        return round;
    }

    [[nodiscard]] std::vector<Candidate> second_round() const {
        auto best = ranked();
        best.resize(std::min(best.size(), kRefined));
        const auto now =
            from_.workload.max_connections.value_or(from_.model.channels.max_connections);
        std::vector<Candidate> round;
        for (const auto& base : best) {
            const auto streams = base.configuration.streams;
            for (const auto turn : space_.units_in_turn) {
                if (streams > 1 && turn * streams <= from_.workload.units) {
                    round.push_back(base);
                    round.back().configuration.units_in_turn = turn;
                }
            }
            for (const auto connections : space_.max_connections) {
                if (streams > 1 && connections > now) {
                    round.push_back(base);
                    round.back().max_connections = connections;
                }
            }
        }
        return round;
    }

    [[nodiscard]] std::vector<Candidate> in_parts() const {
        std::vector<Candidate> round;
        for (const auto parts : space_.parts) {
            for (const auto streams : {2U, 4U}) {
                if (streams <= parts) {
                    auto made = candidate(streams, IssueOrder::depth);
                    made.configuration.transform = Transform::split;
                    made.configuration.parts = parts;
                    round.push_back(std::move(made));
                }
            }
        }
        return round;
    }

    /// Appends those of `round` that can be played.
    void play(std::vector<Candidate> round) {
        const auto one = [&](std::size_t i) {
            auto scenario = from_;
            scenario.configuration = round[i].configuration;
            scenario.workload.max_connections = round[i].max_connections;
            const auto played = overcast::play(scenario);
            if (fits(played)) {
                round[i].schedule = as_schedule(scenario, played);
            }
        };
        if (from_.workload.operations.size() <= kMostAtOnce) {
            for_each_index(round.size(), one);
        } else {
            for (std::size_t i = 0; i < round.size(); ++i) {
                one(i);
            }
        }
        played_ += round.size();
        for (auto& made : round) {
            if (made.schedule) {
                candidates_.push_back(std::move(made));
            }
        }
    }

    /// What there is to do for it, least first.
    static auto effort(const Candidate& candidate) {
        const auto& configuration = candidate.configuration;
        return std::tuple{configuration.streams, candidate.max_connections.value_or(0),
                          configuration.units_in_turn, configuration.order};
    }

    /// Fastest first; of equals the one with least effort.
    [[nodiscard]] std::vector<Candidate> ranked() const {
        auto result = candidates_;
        std::ranges::sort(result, {}, [](const Candidate& candidate) {
            return std::tuple{candidate.schedule->wall, effort(candidate)};
        });
        return result;
    }

    static Duration nearly(Duration wall, int direction) {
        return round_to_duration(static_cast<double>(wall.count()) *
                                 (1 + direction * kNearlyAsGood));
    }

    static Schedule cheapest(const std::vector<Candidate>& ranked) {
        const auto limit = nearly(ranked.front().schedule->wall, 1);
        const auto* least = &ranked.front();
        for (const auto& candidate : ranked) {
            if (candidate.schedule->wall <= limit && effort(candidate) < effort(*least)) {
                least = &candidate;
            }
        }
        return *least->schedule;
    }

    const Scenario& from_;
    SearchSpace space_;
    std::vector<Candidate> candidates_;
    std::uint64_t played_ = 0;
};

}  // namespace

std::optional<FoundSchedules> search_schedules(const Scenario& from, const SearchSpace& space) {
    if (from.workload.units < 2) {
        return std::nullopt;
    }
    return Search{from, space}.find();
}

Schedule as_schedule(const Scenario& scenario, const PlayedConfiguration& played) {
    Schedule schedule;
    schedule.configuration = scenario.configuration;
    schedule.max_connections =
        played.workload.max_connections.value_or(scenario.model.channels.max_connections);
    schedule.wall = played.timeline.wall;
    schedule.utilisation = utilisation(played.workload, played.timeline);
    schedule.bound_by = bound_by(schedule.utilisation);
    schedule.device_bytes = played.workload.device_bytes.value_or(Bytes{}).count();
    return schedule;
}

}  // namespace overcast
