// What a block asks of the units that it shares, from its machine code
// (docs/model.md#machine-code).
#pragma once

#include "core/kernel_code.hpp"
#include "core/kernel_counters.hpp"
#include "model/device_model.hpp"
#include "model/unit_demand.hpp"

#include <cstdint>
#include <optional>

namespace overcast {

/// A warp alone takes for a pass, in cycles,
///   t = max( c + m L, busiest unit ),
/// where c are the cycles of the pass without its loads, m the loads that it waits for one after
/// the other, and L what a load takes. Of a unit that a pass holds for u cycles, a block of w warps
/// asks for  w / 4 u / t  of what can be reached. Where a load finds its data the code does not
/// say: the share `kernel.l2.found_uncounted` in the L2, the others in the DRAM. Assumes: threads
/// side by side.
///
/// Where a pass has barriers, the warps of a scheduler come there one after the other: with n
/// instructions t is longer by (w / 4 - 1) n, and the block keeps them busy for w / 4 n / t of its
/// time. Assumes: its warps wait there for each other.
///
/// Tensor instructions say nothing of their time: such a kernel asks for all of the tensor pipe
/// with as many blocks as an SM holds. `threads` are those of a block. Absent where the device's
/// clock or the L2's latency is not known and the code waits for loads.
std::optional<UnitDemand> code_demand(const KernelCode& code, std::uint32_t threads,
                                      std::uint32_t blocks_per_sm, const DeviceModel& model);

/// Whether a pass loads 16 bytes per thread, several times before it waits: next to nothing else
/// holds its LSU, and two such loads or more come to a wait. Assumes: threads side by side; what
/// feeds tensor cores is none of these.
bool has_wide_loads(const KernelCode& code);

/// Instructions of a warp to memory that are on their way together before it waits for them, at
/// least 1; 0: it does not wait. Assumes: those to shared memory are few.
double loads_at_once(const KernelCode& code);
/// That a warp reads and writes from one wait for memory to the next; infinite where it has none.
double bytes_at_once(const KernelCode& code);

/// How much longer a pass took while its counters were read than it does on an idle device,
///   w / i n / (c + m L)   with w / i cycles from an instruction of a warp to its next
/// and n instructions, as above: no block is so much faster by itself, and more. At least 1;
/// infinite where code, counters, the device's clock or the L2's latency do not say.
double most_speed_up(const KernelCounters& counters, const KernelCode& code,
                     const DeviceModel& model);

/// Of the time while its counters were read, the share for which a warp waits for its loads if the
/// L2 serves each as on an idle device:
///   m (1 + s (k / m - 1)) L / (w / i n),   k loads and stores in a pass,
/// so that a wait at a unit adds to its time so many times what one request waits: the k / m that a
/// warp sends at once wait together, but each further one for s more
/// (`kernel.memory_queue.further_load`; docs/model.md). 0 where it waits for none. Infinite where
/// code, counters, the device's clock or the L2's latency do not say, and where what feeds tensor
/// cores is waited for otherwise.
double most_l2_waits(const KernelCounters& counters, const KernelCode& code,
                     const DeviceModel& model);

}  // namespace overcast
