// How a kernel fills the device: occupancy, waves, block time (docs/model.md#kernels).
#pragma once

#include "core/device.hpp"
#include "core/kernel_code.hpp"
#include "core/kernel_counters.hpp"
#include "core/operation.hpp"
#include "model/device_model.hpp"
#include "model/l2_halves.hpp"
#include "model/unit_demand.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace overcast {

inline constexpr double kSmMemory = 256 * 1024;  ///< bytes, since compute capability 9.0

/// Bytes of an SM's memory that are its L1 where so much is set aside as shared memory.
constexpr double left_as_l1(std::uint32_t carve_out) { return kSmMemory - carve_out; }

/// What one SM holds, or one block takes.
struct SmResources {
    std::uint32_t threads = 0;
    std::uint32_t blocks = 0;
    std::uint32_t registers = 0;
    std::uint32_t shared_memory = 0;

    bool operator==(const SmResources&) const = default;

    [[nodiscard]] constexpr bool holds(const SmResources& block) const {
        return threads >= block.threads && blocks >= block.blocks && registers >= block.registers &&
               shared_memory >= block.shared_memory;
    }
    constexpr void take(const SmResources& block, std::uint32_t times) {
        threads -= block.threads * times;
        blocks -= block.blocks * times;
        registers -= block.registers * times;
        shared_memory -= block.shared_memory * times;
    }
    constexpr void give(const SmResources& block, std::uint32_t times) {
        threads += block.threads * times;
        blocks += block.blocks * times;
        registers += block.registers * times;
        shared_memory += block.shared_memory * times;
    }
};

/// How many blocks that need `block` fit into `room`.
constexpr std::uint32_t blocks_that_fit(const SmResources& block, const SmResources& room) {
    std::uint32_t fit = room.blocks;
    const auto limit = [&fit](std::uint32_t need, std::uint32_t have) {
        if (std::uint64_t{need} * fit > have) {  // seldom: a division takes long
            fit = have / need;
        }
    };
    limit(block.threads, room.threads);
    limit(block.registers, room.registers);
    limit(block.shared_memory, room.shared_memory);
    return fit;
}

/// Blocks of an SM are counted in 16 bits; GPUs have room for 16 to 32.
inline constexpr std::uint32_t kMostBlocks = std::numeric_limits<std::uint16_t>::max();

/// Limits of one SM of the device. Absent limits take the values of compute capability 9.0.
SmResources sm_limits(const DeviceProperties& device);

/// SMs of the device, at least 1; where it is not recorded, as many as on an H200.
std::uint32_t multiprocessors(const DeviceProperties& device);

/// Of the SMs' clock at its highest; 0: not known.
double cycles_per_ns(const DeviceProperties& device);
/// Bytes per ns that the DRAM moves at its peak; 0: not known.
double dram_bytes_per_ns(const DeviceProperties& device);

/// What one block takes of an SM: threads in whole warps, registers per warp rounded up to 256
/// (CUDA occupancy rules), shared memory with the 1 KiB that the system reserves per block since
/// compute capability 8.0.
SmResources block_needs(const KernelShape& shape);

/// What may slow the blocks on an SM beside the load on its units: bits, so that those of all its
/// residents are found at once.
enum SmTrait : std::uint32_t {
    kHoldsScheduler = 1U,  ///< UnitDemand::rest_of_run
    kMeetsAtBarriers = 2U,
    kIsAlwaysReady = 4U,  ///< UnitDemand::always_ready
    kFillsQueue = 8U,     ///< QueueDemand::wanted_in_l1
    kLoads = 16U,         ///< its warps wait for the L2 or the DRAM
    kUsesL1 = 32U,        ///< or shared memory, which are one
};

/// Everything the simulator needs to know about one kernel of a workload.
struct KernelDemand {
    /// The same for launches of one kernel, whatever their grids.
    std::uint32_t function = 0;
    SmResources per_block;
    std::uint64_t blocks = 0;         ///< of its grid
    std::uint32_t blocks_per_sm = 1;  ///< occupancy limit
    /// Blocks that are placed all at once. Assumes: of pairs each finds its other half (1).
    std::uint32_t cluster = 1;
    std::uint32_t lost_to_clusters = 0;  ///< blocks for which clusters leave room on empty SMs
    double dram_share = 0;               ///< of the device's DRAM bandwidth, alone; 0: unknown
    /// By one block, bytes per ns while nothing holds it up; 0: nothing, or unknown.
    double brought_into_l2 = 0;
    /// Share of the SM's memory that the driver set aside as shared memory, bytes; 0: not recorded.
    std::uint32_t carve_out = 0;
    /// Blocks without shared memory of their own run at any split that holds what the system
    /// reserves for them.
    bool needs_carve_out = false;
    std::uint32_t least_carve_out = 0;  ///< that holds as many blocks as an SM takes, bytes
    /// What one block asks of the units that it shares. Without counters its warps stand for issue
    /// slots, and the rest is 0.
    UnitDemand units;
    double load_per_block = 0;  ///< of the unit of the SM that it needs most
    std::uint32_t traits = 0;   ///< of SmTrait
    /// Of its blocks, while all that find room at once are alone on the device: less than 1 where
    /// they fill the L2 or the DRAM. Assumes: beside others they do, too.
    double speed_on_device = 1;
    double pace = 0;       ///< of a warp alone, instructions per cycle; 0: not known
    RoundSlowDown round;   ///< by where in the L2 it finds what earlier kernels used
    bool counted = false;  ///< from counters, or from its code
    /// Its blocks wait for memory: those of an SM end together, those of some SMs sooner than those
    /// of others.
    bool ends_sm_by_sm = false;
    /// From the first to the last of those of an SM, of their time; 1: they hardly wait.
    double ends_within_sm = 1;
    bool uses_tensor_cores = false;
    double beside_tensor = 1;  ///< slowed, while others use them
    /// While its counters were read: how long it took, and the mean share of that for which an SM
    /// held a block. 0: not known.
    Duration counted_duration{};
    double sm_active = 0;
    const KernelCode* code = nullptr;  ///< not its own; null: not known

    [[nodiscard]] double warps_per_block() const {
        return static_cast<double>(per_block.threads) / kThreadsPerWarp;
    }
};

/// Whether counters, or their code, say what some of them ask of the units.
bool any_counted(const std::vector<KernelDemand>& demands);

/// `counters` and `code` may be null. What counters say goes before what the code says.
KernelDemand kernel_demand(const KernelShape& shape, const DeviceModel& model,
                           const KernelCounters* counters = nullptr,
                           const KernelCode* code = nullptr);

/// What the blocks of a kernel do alone on the device, in units of the time of a block that has an
/// SM to itself.
struct SoloRun {
    double length = 1;
    double active = 1;  ///< time for which an SM holds a block, mean over the SMs
    double placed = 0;  ///< until the last block has found room
};

/// A launch that was recorded alone, taken apart.
struct LaunchTimes {
    Duration block{};   ///< of a block that has an SM to itself
    Duration beyond{};  ///< of the launch, while no block works: others may use the SMs
};

/// A kernel whose blocks alone on the device take `solo.length` times t, the time of a block that
/// has an SM to itself, was measured to take
///   D = beyond + t solo.length,
/// which is solved for t. `solo` is of `measured.amount` blocks.
/// `beyond` is at least the device's floor; of a whole wave, KernelParameters::edges
/// more, in part for less of one, but for arithmetic whose blocks hold each other up. Counters say
/// more: of D', the duration while they were read, an SM held a block for the share a. The blocks
/// alone would make it the share A = solo.active / solo.length, so that
///   beyond = D' (1 - a / A) - max(0, D' - D),
/// the last term being what reading them cost. A grid that was cut to a share p keeps sqrt(p) of
/// what is beyond the floor.
LaunchTimes launch_times(const Measured& measured, const KernelDemand& demand,
                         const DeviceModel& model, const SoloRun& solo);

/// By how much of its time the first block of an SM ends before the last where a full queue prefers
/// older ones (`order`: queue_order()).
double ends_within_sm(double order);

/// Whether SMs lose `blocks` one after the other, `apart` of these blocks' time between the first
/// and the last: where those of an SM end together, or `within` of their time from the first to the
/// last so that each ends further from the next than SMs do. In between they end alike on all SMs.
bool ends_sm_by_sm(double within, std::uint32_t blocks, double apart);

}  // namespace overcast
