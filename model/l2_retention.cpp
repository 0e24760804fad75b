#include "model/l2_retention.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr double kWrittenTakes = 0.5;  // of its bytes
constexpr double kNear = 1e-3;         // of the time that data stays
constexpr int kMostDoublings = 60;

bool comes_back(const CacheUser& user) { return user.footprint > 0 && user.lookups > 0; }

/// Share of the lookups of a user who comes back that find their data if it stays for `time` ns.
double kept_for(const CacheUser& user, double time) {
    const auto again = user.footprint / user.lookups;
    return user.at_random ? 1 - std::exp(-time / again)
                          : std::exp(-(again / time) * (again / time));
}

/// Bytes that the users keep and bring in within `time` ns.
double filled(std::span<const CacheUser> users, double time) {
    double bytes = 0;
    for (const auto& user : users) {
        bytes += user.inserts * time;
        if (!comes_back(user)) {
            continue;
        }
        const auto kept = kept_for(user, time);
        bytes += user.footprint * kept;
        if (!user.at_random) {
            bytes += (1 - kept) * user.lookups * time;
        }
    }
    return bytes;
}

/// How long data stays if so much is kept and brought in within that time as there is room for, ns.
double stay(std::span<const CacheUser> users, double capacity) {
    double rate = 0;
    for (const auto& user : users) {
        rate += user.inserts + user.lookups;
    }
    double least = 0;
    double most = capacity / rate;
    for (int i = 0; i < kMostDoublings && filled(users, most) < capacity; ++i) {
        least = most;
        most *= 2;
    }
    while (most - least > kNear * most) {
        const auto middle = (least + most) / 2;
        (filled(users, middle) < capacity ? least : most) = middle;
    }
    return (least + most) / 2;
}

}  // namespace

double brought_in(double moved, double written) { return moved - (1 - kWrittenTakes) * written; }

void share_l2(std::span<CacheUser> users, double capacity) {
    double asked = 0;
    double inserted = 0;
    for (auto& user : users) {
        asked += comes_back(user) ? user.footprint : 0;
        inserted += user.inserts;
        user.kept = 1;
    }
    if (asked <= 0 || (asked <= capacity && inserted <= 0)) {
        return;
    }
    const auto time = stay(users, capacity);
    for (auto& user : users) {
        user.kept = comes_back(user) ? kept_for(user, time) : 1;
    }
}

double share_of_late(double kept, double at_once) { return 1 - std::pow(kept, at_once); }

double kept_of_late(double late, double at_once) { return std::pow(1 - late, 1 / at_once); }

double l2_capacity(const CacheUser& seen) {
    const auto again = seen.footprint / seen.lookups;
    const auto time =
        seen.at_random ? -again * std::log(1 - seen.kept) : again / std::sqrt(-std::log(seen.kept));
    return filled({&seen, 1}, time);
}

}  // namespace overcast
