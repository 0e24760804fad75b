// Pipes of arithmetic that older warps fill: what is left to others
// (docs/model.md#kernels-side-by-side).
#pragma once

#include "model/device_model.hpp"
#include "model/unit_demand.hpp"

#include <array>
#include <cstddef>

namespace overcast {

/// Cycles for which an instruction of a warp holds the unit of its scheduler; 0: no pipe of
/// arithmetic. Compute capability 9.0: a scheduler has 32 lanes for multiply-adds, 16 of each for
/// those of integers, logic and double precision, and 4 for special functions.
constexpr double pipe_cycles(std::size_t unit) {
    constexpr std::array<double, kSmUnits> kCycles{0, 1, 2, 2, 8, 2};
    return kCycles[unit];
}

/// Cycles for which an instruction for a pipe that older warps fill waits at most
/// (`kernel.full_pipe.*`). 0: no such pipe, or not known.
double longest_wait(std::size_t unit, const DeviceModel& model);

/// Of the time, in which none of a scheduler's `warps` needs a pipe, where each by itself uses the
/// share p = load / warps of it and waits for its last instruction before the next: a closed queue
/// with one server (machine repair),
///   1 / sum over k = 0 … w of  w! / (w - k)!  (p / (1 - p))^k
/// for w warps, p at most 0.9. Assumes: times without memory. With two chains of one warp counted
/// as two it says 139 and 2,700 ns for the instruction of another warp beside two and three warps
/// that fill the XU; 107 and 1,500 were measured (`overcast-probes full_pipe`).
double idle_share(double warps, double load);

}  // namespace overcast
