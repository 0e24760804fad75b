// Copies of both directions that shared the link while they were recorded.
#pragma once

#include "core/trace.hpp"

#include <vector>

namespace overcast {

/// Of each activity of the trace, for how long a copy of `device` in the other direction ran beside
/// it; nothing for what is no copy between host and device.
std::vector<Duration> beside_other_direction(const Trace& trace, DeviceId device);

}  // namespace overcast
