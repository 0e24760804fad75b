// What of their data kernels find in the L2 while others bring in theirs (docs/model.md).
#pragma once

#include <span>

namespace overcast {

inline constexpr double kL2Sector = 32;  ///< bytes that the L2 looks up at a time

/// A kernel that looks up data of its own in the L2 again and again.
struct CacheUser {
    double footprint = 0;    ///< bytes that it finds there when alone; 0: none that it uses again
    double lookups = 0;      ///< bytes per ns that it looks up among them
    double inserts = 0;      ///< bytes per ns that it brings in all the same, see brought_in()
    bool at_random = false;  ///< it looks up any of them at any time, not one after the other
    double kept = 1;         ///< share of the lookups that still find theirs: the result
    double late = 0;         ///< share of these that find it late: likewise
};

/// How much and how long an L2 keeps.
struct L2Room {
    double bytes = 0;      ///< of all that it keeps
    double safe_ns = 0;    ///< what comes back sooner, one after the other, is there
    double late_from = 0;  ///< brought in, bytes, after which what comes back is late; 0: it is not
};

/// Of bytes that come from the DRAM and go there (`moved`, in any unit), of which `written` go
/// there, what takes room in the L2. Assumes: half of what is written does. Beside streams that
/// write as much as they read, loads at random tell 1.2 to 1.5 times the capacity that they do
/// beside those that only read, if all of it counts (one H100, docs/model.md).
double brought_in(double moved, double written);

/// Sets `kept`. Data stays in a cache of so many bytes, the capacity, until all the room beside
/// what is kept has been used once more,
///   T = (capacity - sum of F k) / (sum of inserts + sum over those in order of (1 - k) lookups),
/// and what a user looks up again after tau = F / lookups is still there with the probability
///   k = exp(-max(0, tau - safe_ns) / T)    one after the other
///   k = 1 - exp(-T / tau)    at random: Che, Tung and Wang's approximation (2002) of an LRU cache
/// which is solved for all users together. Where the users' data does not fit, they bring in each
/// other's. Sets `late` of data that is looked up one after the other: from 0 where all users bring
/// in `late_from` before it is looked up again to 1 where they bring in a quarter more.
void share_l2(std::span<CacheUser> users, const L2Room& room);

/// Share of the loads of a warp that are late, each of `at_once` requests: it waits for the slowest
/// of them, and each finds its data by itself.
double share_of_late(double kept, double at_once);

/// Of loads that are each late as soon as one of `at_once` requests at random has lost its data,
/// the share `late` is: what a request keeps.
double kept_of_late(double late, double at_once);

/// The capacity with which a user at random keeps what it was seen to keep, which is neither
/// nothing nor all.
double l2_capacity(const CacheUser& seen);

}  // namespace overcast
