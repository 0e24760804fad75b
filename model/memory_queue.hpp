// The queue in which instructions to global and shared memory leave an SM
// (docs/model.md#kernels-side-by-side).
#pragma once

#include "core/kernel_code.hpp"
#include "core/kernel_counters.hpp"
#include "model/device_model.hpp"
#include "model/kernel_model.hpp"

namespace overcast {

/// What a block has in that queue, and what it waits for there.
///
/// A kernel whose loads and stores are on their way together in more lines than the L1 has,
///   wanted = own / (lines that wait) of a full queue, or the lines of its requests at once if
///            these are more                               where each request is for a sector,
///   wanted = bytes of a pass / loads waited for, what is written counting half    otherwise,
/// leaves the others in the queue, at the rate as counted; a warp that reads shared memory waits
/// behind them once per kReadsAtOnce reads. So many reads of each warp, as long as the L1 takes for
/// them, are what a load finds there before it. The first needs counters, the second the code, too,
/// and is asked of kernels that fill a unit of the device.
///
/// Where single sectors fill the L2 or the SM's way to it, a block that sends k loads of each warp
/// at once, l lanes each, has in the mean
///   requests = warps (k + 1) / 2 l
/// before what others send to memory. All zero where that is not known.
QueueDemand queue_demand(const KernelCounters& counters, const KernelCode* code,
                         const KernelDemand& demand, const DeviceModel& model);

/// ns for which what comes to the queue waits there, where blocks of an SM together want `wanted`
/// bytes of lines and find `room` for so many, in its L1 and beyond
/// (`kernel.memory_queue.spare_bytes`):
///   min( s (wanted - room) / bytes per ns, `kernel.memory_queue.instructions` ) of `slowest`.
/// A share s of what finds no line stands before it (`kernel.memory_queue.share_before`), but no
/// more than the queue holds.
double wait_in_queue(double wanted, double room, const QueueDemand& slowest);

}  // namespace overcast
