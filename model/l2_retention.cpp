#include "model/l2_retention.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr double kWrittenTakes = 0.5;  // of its bytes
constexpr double kNear = 1e-3;         // of the time that data stays
constexpr int kMostDoublings = 60;
constexpr double kSteep = 4;  // Assumes: all is late with a quarter more than what is needed first

bool comes_back(const CacheUser& user) { return user.footprint > 0 && user.lookups > 0; }

/// Share of the lookups of a user who comes back that find their data if it stays for `time` ns,
/// and for `safe` ns in any case where they come one after the other.
double kept_for(const CacheUser& user, double time, double safe) {
    const auto again = user.footprint / user.lookups;
    return user.at_random ? 1 - std::exp(-time / again)
                          : std::exp(-std::max(0.0, again - safe) / time);
}

/// Bytes that the users keep and bring in within `time` ns.
double filled(std::span<const CacheUser> users, double time, double safe) {
    double bytes = 0;
    for (const auto& user : users) {
        bytes += user.inserts * time;
        if (!comes_back(user)) {
            continue;
        }
        const auto kept = kept_for(user, time, safe);
        bytes += user.footprint * kept;
        if (!user.at_random) {
            bytes += (1 - kept) * user.lookups * time;
        }
    }
    return bytes;
}

/// How long data stays if so much is kept and brought in within that time as there is room for, ns.
double stay(std::span<const CacheUser> users, const L2Room& room) {
    double rate = 0;
    for (const auto& user : users) {
        rate += user.inserts + user.lookups;
    }
    double least = 0;
    double most = room.bytes / rate;
    for (int i = 0; i < kMostDoublings && filled(users, most, room.safe_ns) < room.bytes; ++i) {
        least = most;
        most *= 2;
    }
    while (most - least > kNear * most) {
        const auto middle = (least + most) / 2;
        (filled(users, middle, room.safe_ns) < room.bytes ? least : most) = middle;
    }
    return (least + most) / 2;
}

/// Bytes per ns that all users bring in, what they have lost among them.
double brought_in_by(std::span<const CacheUser> users) {
    double rate = 0;
    for (const auto& user : users) {
        rate += user.inserts;
        rate += comes_back(user) && !user.at_random ? (1 - user.kept) * user.lookups : 0;
    }
    return rate;
}

/// Share of what is kept that is late.
double found_late(const CacheUser& user, double rate, double late_from) {
    if (late_from <= 0 || user.at_random || !comes_back(user)) {
        return 0;
    }
    const auto brought = rate * user.footprint / user.lookups;
    return std::clamp(kSteep * (brought / late_from - 1), 0.0, 1.0);
}

}  // namespace

double brought_in(double moved, double written) { return moved - (1 - kWrittenTakes) * written; }

void share_l2(std::span<CacheUser> users, const L2Room& room) {
    double asked = 0;
    double inserted = 0;
    for (auto& user : users) {
        asked += comes_back(user) ? user.footprint : 0;
        inserted += user.inserts;
        user.kept = 1;
        user.late = 0;
    }
    if (asked <= 0 || (asked <= room.bytes && inserted <= 0)) {
        return;
    }
    const auto time = stay(users, room);
    for (auto& user : users) {
        user.kept = comes_back(user) ? kept_for(user, time, room.safe_ns) : 1;
    }
    const auto rate = brought_in_by(users);
    for (auto& user : users) {
        user.late = found_late(user, rate, room.late_from);
    }
}

double share_of_late(double kept, double at_once) { return 1 - std::pow(kept, at_once); }

double kept_of_late(double late, double at_once) { return std::pow(1 - late, 1 / at_once); }

double l2_capacity(const CacheUser& seen) {
    const auto again = seen.footprint / seen.lookups;
    return filled({&seen, 1}, -again * std::log(1 - seen.kept), 0);
}

}  // namespace overcast
