// What hardware counters say about one kernel that ran alone.
#pragma once

#include "core/ids.hpp"
#include "core/operation_kinds.hpp"
#include "core/units.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast {

/// A quantity that is read per launch. Shares are from 0 to 1 of what the unit can do at most.
enum class KernelCounter : std::uint8_t {
    duration_ns,              ///< of the launch, on the device
    sm_active,                ///< mean share of the duration for which an SM held a block
    warps_per_sm,             ///< resident warps of an SM, mean over the time that it held a block
    issue_slots,              ///< share while the SM held a block, as the next ones down to l1
    fma_pipe,                 ///< both halves of it
    fma_heavy_pipe,           ///< the half that also multiplies integers
    alu_pipe,                 ///< integers, comparisons, logic
    xu_pipe,                  ///< special functions, conversions
    fp64_pipe,                ///< double precision
    tensor_pipe,              ///< matrices
    lsu_pipe,                 ///< instructions to global and shared memory
    l1,                       ///< data path of L1 and shared memory
    l2,                       ///< sectors looked up; share over the whole duration, down to dram
    l2_requests,              ///< requests looked up, of up to four sectors each
    l2_replies,               ///< cycles of the way back to the SMs
    l2_fabric,                ///< cycles of the link between the two halves of the L2
    dram,                     ///< bytes read and written
    l1_hit_rate,              ///< of sectors looked up; says nothing where there are hardly any
    l2_hit_rate,              ///< likewise
    stalled_by_math_pipe,     ///< warps, mean at an issued instruction, that wait for a busy pipe
    stalled_by_memory_queue,  ///< likewise: for room in the queue to shared memory
    stalled_by_global_queue,  ///< likewise: for room in the queue to global memory
    stalled_by_other_warp,    ///< ready, but another warp was chosen
    stalled_by_barrier,       ///< done with their part, until the other warps of the block are
    stalled_by_dependency,    ///< for the fixed time that their instruction before takes
    stalled_by_branch,        ///< until it is known where their branch goes
    memory_bytes,             ///< bytes of the allocations that its arguments point into
};

inline constexpr std::size_t kCounters = static_cast<std::size_t>(KernelCounter::memory_bytes) + 1;

/// "issue_slots": the name in files and tables.
std::string_view to_string(KernelCounter counter);

/// Absent: the device does not count it, or the driver does not tell.
using CounterValues = std::array<std::optional<double>, kCounters>;

/// Launches of one kernel with the same grid, block and dynamic shared memory.
struct KernelCounters {
    NameId name{};
    Extent grid;
    Extent block;
    Bytes dynamic_shared_memory;
    std::uint64_t launches = 0;           ///< in the run that was counted
    std::uint32_t measured_launches = 0;  ///< the first ones of them; the values are their means
    CounterValues values;

    [[nodiscard]] std::optional<double> operator[](KernelCounter counter) const {
        return values[static_cast<std::size_t>(counter)];
    }
    [[nodiscard]] bool is_of(NameId kernel, const KernelShape& shape) const {
        return name == kernel && grid == shape.grid && block == shape.block &&
               dynamic_shared_memory == shape.dynamic_shared_memory;
    }
};

}  // namespace overcast
