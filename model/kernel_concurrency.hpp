// How kernels slow each other down on a shared SM (docs/model.md#kernels-side-by-side).
#pragma once

#include "model/kernel_model.hpp"

#include <algorithm>

namespace overcast {

/// Speed of a kernel whose blocks share SMs with others, relative to its speed alone.
///
/// Each resident block asks for `load_per_block` of its SM's issue slots. Where the sum L on an SM
/// is above 1, the SM serves all at 1 / L. The measured duration of the kernel contains its own
/// crowding already, so that
///   speed = max(1, load_alone) / max(1, L),   at most 1.
/// Assumes: warps alone tell the load; a kernel with as many warps as `kernel.saturating_warps`
/// uses up its SM. Which unit is scarce cannot be seen in a trace.
constexpr double shared_speed(double load_alone, double load_on_sm) {
    return std::min(1.0, std::max(1.0, load_alone) / std::max(1.0, load_on_sm));
}

}  // namespace overcast
