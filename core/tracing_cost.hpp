// What recording adds to a program, so that it can be taken out again (hardware rules 13, 15).
#pragma once

#include "core/units.hpp"

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

/// The same calls with and without the tracer, and what it adds between two dependent operations on
/// the device.
struct TracingCost {
    CallCosts untraced;
    CallCosts traced;
    Duration device_gap{};
};

}  // namespace overcast
