// Copies beside kernels that stream from or to DRAM (docs/model.md#transfers).
#pragma once

#include "model/device_model.hpp"

#include <algorithm>

namespace overcast {

/// Slow-down of a kernel that uses `dram_share` (0 to 1) of the DRAM's bandwidth when alone, while
/// copies run:
///   f = 1 + dram_share * sum over the directions of ((read + write) / 2 - 1),
/// read, write = slow-downs measured at the full rate of DRAM.
/// Assumes: half of the bytes are read, since the counter does not tell them apart, and the
/// slow-down grows with the share.
double kernel_slow_down(const MemoryKernelParameters& parameters, double dram_share, bool h2d,
                        bool d2h);

/// Slow-down of a copy beside kernels that use `dram_share` of the DRAM's bandwidth together:
///   f = 1 + min(1, dram_share) * (where_full - 1),
/// where_full = MemoryKernelParameters::h2d_factor or d2h_factor at its bytes; 0: not known.
constexpr double copy_slow_down(double where_full, double dram_share) {
    return 1 + std::min(1.0, dram_share) * std::max(0.0, where_full - 1);
}

}  // namespace overcast
