// The clock of the SMs while tensor cores work (docs/model.md#kernels-side-by-side).
#pragma once

#include "model/device_model.hpp"
#include "model/unit_demand.hpp"

namespace overcast {

/// Whether a kernel of which so many blocks fill an SM has such instructions that the clock is
/// lower for as long as it runs. Assumes: one that has any goes on with them from its begin to its
/// end.
constexpr bool uses_tensor_cores(const UnitDemand& demand, double blocks_per_sm) {
    // Of the pipe, by all blocks that an SM has room for. Counters show up to 0.01 of kernels that
    // have none with a block or two on an SM, products 0.3 and more.
    constexpr double kSome = 0.05;
    return demand.sm[static_cast<std::size_t>(SmUnit::tensor_pipe)] * blocks_per_sm > kSome;
}

/// How much longer another kernel takes meanwhile, on whatever SM: all that it does goes by the
/// SMs' clock, but of the share w of its time in which its warps wait for loads only the way to the
/// L2 does,
///   s = 1 + (1 - w) (f - 1) + w / L (f_L2 - 1),   w = min(1, l L),
/// f = KernelParameters::beside_tensor, f_L2 = load_beside_tensor, l = UnitDemand::l2_waits, L =
/// mean_load().
double slow_down_beside_tensor(const UnitDemand& demand, const KernelParameters& parameters);

}  // namespace overcast
