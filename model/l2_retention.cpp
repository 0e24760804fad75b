#include "model/l2_retention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overcast {
namespace {

constexpr double kLeastRoom = 0.02;  // of the capacity: something is always brought in
constexpr int kMostRounds = 40;
constexpr double kNear = 1e-3;
constexpr double kLeastTold = 0.2;  // of a share kept that tells a capacity
constexpr double kMostTold = 0.8;

/// How long data stays, ns.
double stay(std::span<const CacheUser> users, double capacity) {
    double room = capacity;
    double inserted = 0;
    for (const auto& user : users) {
        room -= user.footprint * user.kept;
        inserted += user.inserts;
        if (user.footprint > 0) {
            inserted += (1 - user.kept) * user.lookups;
        }
    }
    return inserted > 0 ? std::max(room, kLeastRoom * capacity) / inserted
                        : std::numeric_limits<double>::infinity();
}

}  // namespace

void share_l2(std::span<CacheUser> users, double capacity) {
    double asked = 0;
    for (const auto& user : users) {
        asked += user.footprint;
    }
    for (auto& user : users) {
        user.kept = user.footprint > 0 && asked > capacity ? capacity / asked : 1;
    }
    for (int round = 0; round < kMostRounds; ++round) {
        const auto time = stay(users, capacity);
        double moved = 0;
        for (auto& user : users) {
            if (user.footprint <= 0 || user.lookups <= 0) {
                continue;
            }
            const auto again = user.footprint / user.lookups;
            const auto kept = std::exp(-(again / time) * (again / time));
            moved = std::max(moved, std::abs(kept - user.kept));
            user.kept = (user.kept + kept) / 2;
        }
        if (moved < kNear) {
            break;
        }
    }
}

double share_of_late(double kept, double at_once) { return 1 - std::pow(kept, at_once); }

std::optional<double> l2_capacity(const CacheUser& seen) {
    if (seen.kept < kLeastTold || seen.kept > kMostTold || seen.lookups <= 0) {
        return std::nullopt;
    }
    const auto time = seen.footprint / seen.lookups / std::sqrt(-std::log(seen.kept));
    const auto inserted = seen.inserts + (1 - seen.kept) * seen.lookups;
    return time * inserted + seen.kept * seen.footprint;
}

}  // namespace overcast
