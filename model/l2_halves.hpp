// How long a load takes whose data goes round and round the L2, by the halves of the chip that use
// it (docs/model.md#kernels-side-by-side).
#pragma once

#include "core/operation.hpp"
#include "core/units.hpp"
#include "model/curve.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace overcast {

struct DeviceModel;
struct UnitDemand;

/// The L2 has two halves, each of which keeps for its SMs what they use, wherever that is at home.
/// What SMs of one half alone go round has no room in it sooner, but half of it is found in the
/// other half; what SMs of both go round has room for longer, and then is lost.
struct L2Halves {
    /// Of a load, ns, over the bytes that all kernels together go round: from SMs of one half, and
    /// of both. Empty: not measured.
    Curve ns_in_one;
    Curve ns_in_both;
    /// How much of the way from one half to both loads have gone, 0 to 1, over the SMs in use: the
    /// first that get blocks are of one half.
    Curve both_by_sms;

    [[nodiscard]] bool measured() const {
        return !ns_in_one.empty() && !ns_in_both.empty() && !both_by_sms.empty();
    }

    /// Whether `round` bytes may take otherwise than those that were recorded.
    [[nodiscard]] bool felt(Bytes recorded_round, Bytes round) const;

    /// Of a load, ns, where `sms` SMs are in use.
    [[nodiscard]] double load_ns(Bytes round, double sms) const;
};

/// Who looks up the same data again and again, or brings in other data.
struct RoundUser {
    double bytes = 0;    ///< that it comes back to; 0: it does not
    double lookups = 0;  ///< bytes per ns
};

/// Bytes that go through the L2 from one look of the user at `place` at its data to the next: its
/// own, and what each other one looks up meanwhile, but no more than that has.
double bytes_of_round(std::span<const RoundUser> users, std::size_t place);

/// How much longer than recorded the blocks of a kernel take.
struct RoundSlowDown {
    double in_one = 1;   ///< while SMs of one half of the chip use what it goes round
    double in_both = 1;  ///< of both
    std::optional<Measured> mean = std::nullopt;  ///< of its recorded launches, if they are alike

    [[nodiscard]] bool felt() const { return in_one != 1 || in_both != 1; }
};

/// Of a kernel that waits for the share a of its time for loads that take l ns each
/// (UnitDemand::l2_waits, `kernel.l2.latency_ns`), 1 - a m of it for something else: with loads of
/// L ns a block takes 1 - a m + a L / l. m is mean_load() of UnitDemand::l2_hit_rate. It was
/// recorded alone, on `recorded_sms` SMs.
RoundSlowDown slow_down_of_round(const UnitDemand& units, const DeviceModel& model,
                                 Bytes recorded_round, double recorded_sms, Bytes round);

}  // namespace overcast
