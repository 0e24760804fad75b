// How the counters are called by the device.
#pragma once

#include "core/kernel_counters.hpp"

#include <span>

namespace overcast::injection {

/// One metric of NVIDIA's profilers, and what it stands for. Several rows of one counter are
/// alternatives: the first that the device knows counts.
struct Metric {
    KernelCounter counter{};
    const char* name = nullptr;
    double scale = 1;  ///< of the metric's value, to the counter's
};

/// Three passes on compute capability 9.0 for all but the stalls, which are a fourth.
std::span<const Metric> metrics();

}  // namespace overcast::injection
