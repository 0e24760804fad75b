// What of their data kernels find in the L2 while others bring in theirs (docs/model.md).
#pragma once

#include <optional>
#include <span>

namespace overcast {

inline constexpr double kL2Sector = 32;  ///< bytes that the L2 looks up at a time

/// A kernel that looks up data of its own in the L2 again and again.
struct CacheUser {
    double footprint = 0;  ///< bytes that it finds there when alone; 0: none that it uses again
    double lookups = 0;    ///< bytes per ns that it looks up among them
    double inserts = 0;    ///< bytes per ns that it brings in all the same, or writes
    double kept = 1;       ///< share of the lookups that still find theirs: the result
};

/// Sets `kept`. Data stays in a cache of `capacity` bytes until so much has been brought in that
/// all the room beside what is kept has been used once more, for about the time
///   T = (capacity - sum of F k) / sum of (inserts + (1 - k) lookups),
/// and what a user looks up again after tau = F / lookups is still there with the probability
///   k = exp(-(tau / T)^2),
/// which is solved for all users together. Where the users' data does not fit, they bring in each
/// other's. Measured on an H200 with chains of loads through 2 to 32 MiB beside streams of 0.4 to
/// 2.6 TB/s that write: 31 points of k tell a capacity of 47 MB, with a standard deviation of 12 %.
void share_l2(std::span<CacheUser> users, double capacity);

/// Share of the loads of a warp that are late, each of `at_once` requests: it waits for the slowest
/// of them, and each finds its data by itself.
double share_of_late(double kept, double at_once);

/// The capacity with which a user keeps what it was seen to keep; absent where that is hardly any
/// or nearly all, which tells nothing.
std::optional<double> l2_capacity(const CacheUser& seen);

}  // namespace overcast
