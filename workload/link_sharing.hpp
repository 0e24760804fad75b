// Which recorded copies had a copy engine, and shared the link with those of the other direction.
#pragma once

#include "core/trace.hpp"

#include <optional>
#include <vector>

namespace overcast {

/// A copy to the device on a channel of kernels had no copy engine (hardware rule 24); absent: it
/// is no such copy, or its channel is not known.
std::optional<bool> travelled_inline(const TracedCopy& copy, const DeviceActivity& activity);

/// Of each activity of the trace, for how long a copy of `device` in the other direction ran beside
/// it; nothing for what is no copy of an engine between host and device.
std::vector<Duration> beside_other_direction(const Trace& trace, DeviceId device);

}  // namespace overcast
