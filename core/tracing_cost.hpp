// What recording adds to a program, so that it can be taken out again (hardware rules 13, 15).
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/units.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace overcast {

/// Host time of one call of each kind, without waiting for the device.
struct CallCosts {
    Duration kernel_launch{};
    Duration copy{};
    Duration memset{};
    Duration event_record{};
    Duration event_wait{};
    Duration synchronise{};  ///< of something that is idle already
    Duration host_function{};
    Duration other{};
};

/// What a way of recording adds.
struct RecorderCost {
    CallCosts calls{};                       ///< with the recorder
    std::array<Duration, kGapKinds> gaps{};  ///< what it adds between two dependent operations
    /// Of `calls`, what passes outside the times that it shows: half before a call, half behind.
    CallCosts between{};
    /// What it adds to a gap, besides, while copies to the device are on the link.
    Duration gap_beside_h2d{};
    /// From the return of a copy's call that takes no time to the start on an idle engine; absent:
    /// as without the recorder.
    std::optional<Duration> copy_start = std::nullopt;
    /// Of its call, how large a share passes after the device has heard of the work.
    double share_after_work = 0;
};

/// The same calls with and without the recorder, and what it adds on the device.
struct TracingCost {
    CallCosts untraced;
    RecorderCost traced;
};

/// Half of what recording adds to a call: what passes after the device has heard of the work.
inline Duration added_after_work(const TracingCost& cost, Duration CallCosts::*call) {
    return std::max((cost.traced.calls.*call - cost.untraced.*call) / 2, Duration{});
}

}  // namespace overcast
