#include "model/kernel_concurrency.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {

double unit_delay(std::span<const UnitUsers> users) {
    double load = 0;
    double most = 0;
    for (const auto& user : users) {
        load += user.count * user.demand;
        most = std::max(most, user.demand);
    }
    if (load <= 1) {
        return 0;
    }
    // Users alike would be slowed by `load`: exact for one kind, and too short a wait for several,
    // since those that need the unit less give way less. The sum falls and is convex in w, so that
    // Newton's steps go up from there and never too far.
    constexpr int kSteps = 12;
    constexpr double kClose = 1e-6;
    double delay = (load - 1) / most;
    for (int step = 0; step < kSteps; ++step) {
        double used = 0;
        double slope = 0;
        for (const auto& user : users) {
            const auto slowed = 1 + user.demand * delay;
            const auto share = user.count * user.demand / slowed;
            used += share;
            slope += share * user.demand / slowed;
        }
        if (used - 1 < kClose) {
            break;
        }
        delay += (used - 1) / slope;
    }
    return delay;
}

double blocks_at_scheduler(double busy, double count) {
    double queue = 0;
    double before = 0;
    for (double others = 1; others < count + 1; ++others) {
        before = queue;
        const auto passes = busy * (1 + queue);
        queue = others * passes / (1 - busy + passes);
    }
    const auto beyond = count - std::floor(count);
    return beyond > 0 ? before + beyond * (queue - before) : queue;
}

}  // namespace overcast
