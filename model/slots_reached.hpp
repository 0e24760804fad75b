// Of the issue slots that can be reached, what a kernel uses where it fills them.
#pragma once

#include "core/kernel_counters.hpp"
#include "core/units.hpp"
#include "model/device_model.hpp"

namespace overcast {

/// Above 1 where counters show more of a kernel than the device model was calibrated with; it
/// leaves that much less to others. The counter u is a mean over the time t for which an SM held
/// blocks while it was read, and that is longer than when nobody reads: caches are cold. What the
/// kernel's own duration D lacks of the counted one D' is no time in which slots are used:
///   u' = min(1, u t / (t - max(0, D' - D))),   t = D' a / min(1, G / SMs),
/// a = sm_active, G blocks; u' over the capacity is returned.
/// Assumes: an empty device, which takes up 1.0 us of D' - D, is as long as what a kernel that
/// loads and stores loses at its begin and end besides (0.75 us, docs/model.md).
double slots_reached(const KernelCounters& counters, Duration own, const DeviceModel& model);

}  // namespace overcast
