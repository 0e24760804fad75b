#include "advise/savings.hpp"

#include "advise/advise.hpp"
#include "forecast/bound.hpp"
#include "forecast/interval.hpp"
#include "forecast/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

/// Wall time of a scenario, and where causes and rules may put it.
struct Spread {
    Duration wall{};
    std::vector<std::array<Duration, 2>> ends;
    double rules = 0;  ///< relative error
};

Spread spread_of(const Scenario& scenario, const IntervalEstimator& estimator) {
    const auto played = play(scenario);
    Prediction prediction;
    prediction.configuration = scenario.configuration;
    prediction.bound_by = bound_by(utilisation(played.workload, played.timeline));
    return {played.timeline.wall, estimator.walls_at_ends(played.workload, played.timeline.wall),
            estimator.rules_error(played, prediction)};
}

/// The difference of two runs: a cause moves both; what the rules get wrong moves each by itself.
void add_interval(const Spread& before, const Spread& after, Saving& saving) {
    const auto difference = static_cast<double>((before.wall - after.wall).count());
    const double own = std::hypot(before.rules * static_cast<double>(before.wall.count()),
                                  after.rules * static_cast<double>(after.wall.count()));
    double up = own * own;
    double down = own * own;
    for (std::size_t cause = 0; cause < before.ends.size(); ++cause) {
        double rise = 0;
        double fall = 0;
        for (std::size_t end = 0; end < 2; ++end) {
            const auto moved =
                static_cast<double>((before.ends[cause][end] - after.ends[cause][end]).count());
            rise = std::max(rise, moved - difference);
            fall = std::max(fall, difference - moved);
        }
        up += rise * rise;
        down += fall * fall;
    }
    saving.low = saving.time - round_to_duration(std::sqrt(down));
    saving.high = saving.time + round_to_duration(std::sqrt(up));
}

}  // namespace

Scenario Savings::build(const std::function<bool(std::size_t)>& changed, bool one_change) const {
    auto scenario = unchanged(program_);
    scenario.one_change = one_change;
    const auto gone = [&](std::size_t i) { return found_[i].made || changed(i); };
    for (std::size_t i = 0; i < found_.size(); ++i) {
        if (!gone(i) && found_[i].finding.put_back) {
            found_[i].finding.put_back(scenario);
        }
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
        if (gone(i) && found_[i].finding.remove) {
            found_[i].finding.remove(scenario);
        }
    }
    return scenario;
}

Scenario Savings::only(std::size_t i) const {
    return build([&](std::size_t k) { return k == i; }, true);
}

Scenario Savings::all_but(std::size_t i) const {
    auto scenario = build([&](std::size_t k) { return k != i && found_[k].active; });
    if (found_[i].finding.leave_out) {
        found_[i].finding.leave_out(scenario);
    }
    return scenario;
}

Scenario Savings::all_and(std::size_t i) const {
    return build([&](std::size_t k) { return k == i || found_[k].active; });
}

void Savings::play_all() {
    const auto recorded = play(this->recorded()).timeline.wall;
    const auto advised = play(this->advised()).timeline.wall;
    const auto one = [&](std::size_t i) {
        auto& found = found_[i];
        if (found.made || (!found.finding.remove && !found.finding.put_back)) {
            return;
        }
        found.alone.time = recorded - play(only(i)).timeline.wall;
        found.with_the_rest.time = found.active ? play(all_but(i)).timeline.wall - advised
                                                : advised - play(all_and(i)).timeline.wall;
    };
    if (program_.workload.operations.size() <= kMostOperationsForIntervals) {
        for_each_index(found_.size(), one);
    } else {
        for (std::size_t i = 0; i < found_.size(); ++i) {
            one(i);
        }
    }
}

bool Savings::drop_harmful() {
    const auto bearable =
        round_to_duration(-kWorthwhile * static_cast<double>(program_.played.wall.count()));
    bool dropped = false;
    for (auto& found : found_) {
        if (found.active && !found.made && found.with_the_rest.time < bearable) {
            found.active = false;
            dropped = true;
        }
    }
    return dropped;
}

void Savings::add_intervals() {
    const Rules rules;
    const IntervalEstimator estimator{program_.workload, program_.model, program_.overheads, rules};
    const auto recorded = spread_of(this->recorded(), estimator);
    const auto together = this->advised();
    const auto advised = spread_of(together, estimator);
    const auto least = round_to_duration(kWorthwhile * static_cast<double>(recorded.wall.count()));
    for_each_index(found_.size(), [&](std::size_t i) {
        auto& found = found_[i];
        if (found.made) {
            return;
        }
        if (found.alone.time >= least) {
            if (const auto changed = only(i); changed.same_machine) {
                add_interval(recorded, spread_of(changed, estimator), found.alone);
            }
        }
        if (found.active && found.with_the_rest.time >= least && together.same_machine) {
            add_interval(spread_of(all_but(i), estimator), advised, found.with_the_rest);
        }
    });
}

void Savings::price(bool intervals) {
    play_all();
    if (drop_harmful()) {
        play_all();
    }
    if (intervals && program_.workload.operations.size() <= kMostOperationsForIntervals) {
        add_intervals();
    }
}

}  // namespace overcast
