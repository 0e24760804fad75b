// The model of trans_kernel_model (L. Yu, 2017), written anew from a description of it.
#pragma once

#include "core/prediction.hpp"
#include "workload/extract.hpp"

#include <optional>

namespace overcast {

/// Plays the recorded calls of one stream forward on several:
///   * The first stream starts at 0. Each further one starts 2 us behind the last H2D before the
///     kernel of the stream before it, or, where one of those H2D takes longer than 3.158431 ms, 2
///     us and 3.158431 ms behind the start of the first such H2D. Recorded durations and gaps
///     decide.
///   * A call starts where the recorded gap has passed since the end of its stream's previous call.
///   * Copies of one direction share the link: each goes on at its own rate / their number.
///     Directions and kernels do not disturb each other.
///   * A kernel's blocks each take its duration / ceil(grid / (SMs * blocks per SM)), and are dealt
///     round-robin over the SMs, from the one whose running block ends first (the first SM where
///     none runs; to the letter, so that an idle SM is not preferred to a busy one, which matters
///     for grids much smaller than the device). On an SM blocks start in the order in which they
///     were dealt, as soon as threads, registers and shared memory are free; registers are not
///     rounded up, the number of blocks is not limited, and blocks do not slow each other down.
///   * The issue order and the host play no part; time is counted from the first device start.
///
/// Three choices where the original says nothing. It knows one unit per stream: here later units of
/// a stream follow with their recorded gaps. It left the end of two D2H side by side open: here
/// they share as H2D do. Of two kernels that start at once the one of the earlier stream goes
/// first.
///
/// Absent for `split`; where the recorded work lies in several streams, or any of it in no unit;
/// where a unit is anything else than H2D copies (one or more), one kernel, D2H copies (or none);
/// and where the recorded device's SMs, threads, registers or shared memory per SM are not known.
std::optional<Duration> predict_trans_kernel_model(const Extraction& recorded,
                                                   const Configuration& configuration);

}  // namespace overcast
