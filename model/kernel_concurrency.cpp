#include "model/kernel_concurrency.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr int kSteps = 12;
constexpr double kClose = 1e-6;

/// u(w) of the header, and how fast it falls.
struct Use {
    double used = 0;
    double falls = 0;
};

Use use_of(std::span<const UnitUsers> users, double wait) {
    Use use;
    for (const auto& user : users) {
        const auto slowed = 1 + user.waits * wait;
        const auto share = user.count * user.demand / slowed;
        use.used += share;
        use.falls += share * user.waits / slowed;
    }
    return use;
}

/// u(w) = 1. As if all waited as often as who waits most: exact for users of one kind, and too
/// short for several. u falls and is convex in w, so that Newton's steps go up from there and never
/// too far.
double wait_where_full(std::span<const UnitUsers> users) {
    double load = 0;
    double most = 0;
    for (const auto& user : users) {
        load += user.count * user.demand;
        most = std::max(most, user.waits);
    }
    if (load <= 1 || most <= 0) {
        return 0;
    }
    double wait = (load - 1) / most;
    for (int step = 0; step < kSteps; ++step) {
        const auto use = use_of(users, wait);
        if (use.used - 1 < kClose) {
            break;
        }
        wait += (use.used - 1) / use.falls;
    }
    return wait;
}

/// w = growth u(w)^4, or the least that is asked for: w less the right side rises and is concave,
/// so that, again, steps go up and never too far.
double wait_where_nearly_full(std::span<const UnitUsers> users, double growth, double least) {
    double wait = least;
    for (int step = 0; step < kSteps; ++step) {
        const auto use = use_of(users, wait);
        const auto target = grown(growth, use.used);
        if (target - wait < kClose) {
            break;
        }
        wait += (target - wait) / (1 + 4 * target / use.used * use.falls);
    }
    return wait;
}

}  // namespace

double unit_wait(std::span<const UnitUsers> users, double growth) {
    const auto wait = wait_where_full(users);
    return growth > 0 ? wait_where_nearly_full(users, growth, wait) : wait;
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
