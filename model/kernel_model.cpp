#include "model/kernel_model.hpp"

#include "model/code_demand.hpp"
#include "model/memory_queue.hpp"
#include "model/tensor_clock.hpp"
#include "model/unit_demand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overcast {
namespace {

constexpr std::uint32_t kRegistersPerWarpUnit = 256;    // CUDA occupancy calculator, cc 9.0
constexpr std::uint32_t kReservedSharedMemory = 1024;   // bytes per block, tuning guide cc 8.0+
constexpr std::uint32_t kDefaultMultiprocessors = 132;  // H200

/// Of its time, for loads. Assumes: a kernel that waits less is one of arithmetic.
constexpr double kHardlyWaits = 0.1;
constexpr double kHardlyUses = 0.05;  // of the L1, by a block. Assumes: who uses less seldom reads

constexpr std::uint32_t round_up(std::uint64_t value, std::uint32_t unit) {
    return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
}

/// Without counters, what `beyond` of the header is more than the floor. Nothing where blocks that
/// wait for no memory hold each other up: they end one after the other, which is played.
Duration edges(const Measured& measured, const KernelDemand& demand, const DeviceModel& model) {
    const auto per_sm =
        static_cast<double>(measured.amount) / static_cast<double>(multiprocessors(model.device));
    const auto together = std::min(std::ceil(per_sm), static_cast<double>(demand.blocks_per_sm));
    if (demand.load_per_block * together > 1 && demand.units.l2_waits < kHardlyWaits) {
        return {};
    }
    const auto wave = std::min(1.0, per_sm / demand.blocks_per_sm);
    const auto most = std::max(measured.duration - model.kernels.floor, Duration{}) / 2;
    return std::min(round_to_duration(wave * static_cast<double>(model.kernels.edges.count())),
                    most);
}

/// `beyond` of the header; negative where the counters do not say or disagree.
Duration idle_time(const Measured& measured, const KernelDemand& demand, const SoloRun& solo) {
    if (demand.sm_active <= 0) {
        return Duration{-1};
    }
    const auto counted = static_cast<double>(demand.counted_duration.count());
    const auto idle = counted * (1 - demand.sm_active * solo.length / solo.active);
    const auto reading = std::max(demand.counted_duration - measured.duration, Duration{});
    return std::min(round_to_duration(idle) - reading, measured.duration);
}

/// Clusters of more than two blocks, and what is left over where they fill an empty device.
void add_cluster(const KernelShape& shape, const DeviceModel& model, KernelDemand& demand) {
    constexpr std::uint64_t kPair = 2;
    const auto blocks = shape.cluster.count();
    const auto& usable = model.kernels.cluster_multiprocessors;
    if (blocks <= kPair || usable.empty()) {
        return;
    }
    const auto all = static_cast<double>(multiprocessors(model.device));
    const auto lost = std::max(0.0, all - usable.linear(static_cast<double>(blocks)));
    demand.cluster = static_cast<std::uint32_t>(blocks);
    demand.lost_to_clusters = static_cast<std::uint32_t>(lost) * demand.blocks_per_sm;
}

std::uint32_t traits_of(const UnitDemand& units) {
    return (units.l2_waits >= kHardlyWaits ? kLoads : 0U) |
           (units.sm[static_cast<std::size_t>(SmUnit::l1)] > kHardlyUses ? kUsesL1 : 0U) |
           (units.rest_of_run > 0 ? kHoldsScheduler : 0U) |
           (units.busy_between_barriers > 0 ? kMeetsAtBarriers : 0U) |
           (units.queue.wanted_in_l1 > 0 || units.queue.requests > 0 ? kFillsQueue : 0U) |
           (units.always_ready ? kIsAlwaysReady : 0U);
}

/// KernelDemand::speed_on_device.
double speed_on_device(const KernelDemand& demand, std::uint32_t multiprocessors) {
    const auto room = std::uint64_t{demand.blocks_per_sm} * multiprocessors;
    const auto residents = static_cast<double>(std::min(demand.blocks, room));
    const auto asked = residents * std::ranges::max(demand.units.device);
    return 1 / std::max(1.0, asked);
}

}  // namespace

std::uint32_t multiprocessors(const DeviceProperties& device) {
    return std::max(1U, device.multiprocessors.value_or(kDefaultMultiprocessors));
}

double cycles_per_ns(const DeviceProperties& device) {
    return device.core_clock_khz.value_or(0) / 1e6;
}

double dram_bytes_per_ns(const DeviceProperties& device) {
    return device.memory_bandwidth_bytes_per_s.value_or(0) / 1e9;
}

SmResources sm_limits(const DeviceProperties& device) {
    return {
        .threads = device.threads_per_multiprocessor.value_or(2048),
        .blocks = std::min(device.blocks_per_multiprocessor.value_or(32), kMostBlocks),
        .registers = device.registers_per_multiprocessor.value_or(65536),
        .shared_memory = static_cast<std::uint32_t>(
            device.shared_memory_per_multiprocessor.value_or(Bytes{233472}).count()),
    };
}

SmResources block_needs(const KernelShape& shape) {
    const auto threads = round_up(std::max<std::uint64_t>(shape.block.count(), 1), kThreadsPerWarp);
    const auto warps = threads / kThreadsPerWarp;
    const auto shared = shape.static_shared_memory + shape.dynamic_shared_memory;
    return {
        .threads = threads,
        .blocks = 1,
        .registers = warps * round_up(std::uint64_t{shape.registers_per_thread} * kThreadsPerWarp,
                                      kRegistersPerWarpUnit),
        .shared_memory = static_cast<std::uint32_t>(shared.count()) + kReservedSharedMemory,
    };
}

bool any_counted(const std::vector<KernelDemand>& demands) {
    return std::ranges::any_of(demands, &KernelDemand::counted);
}

KernelDemand kernel_demand(const KernelShape& shape, const DeviceModel& model,
                           const KernelCounters* counters, const KernelCode* code) {
    KernelDemand demand;
    demand.code = code;
    demand.per_block = block_needs(shape);
    demand.blocks = std::max<std::uint64_t>(shape.grid.count(), 1);
    // A block that no SM could hold ran all the same on the real device: one per SM.
    demand.blocks_per_sm = std::max(1U, blocks_that_fit(demand.per_block, sm_limits(model.device)));
    add_cluster(shape, model, demand);
    demand.carve_out = static_cast<std::uint32_t>(shape.executed_shared_memory.count());
    demand.least_carve_out = demand.blocks_per_sm * demand.per_block.shared_memory;
    demand.needs_carve_out = demand.per_block.shared_memory > kReservedSharedMemory;
    std::optional<UnitDemand> units;
    const auto dram = dram_bytes_per_ns(model.device);
    if (counters != nullptr) {
        SeenByCode by_code;
        if (code != nullptr) {
            by_code = {most_speed_up(*counters, *code, model),
                       most_l2_waits(*counters, *code, model), bytes_at_once(*code)};
        }
        const auto sms = multiprocessors(model.device);
        const auto on_device = std::min(demand.blocks, std::uint64_t{demand.blocks_per_sm} * sms);
        const auto on_sm = (on_device + sms - 1) / sms;
        const BlocksAtOnce at_once{static_cast<double>(on_sm), static_cast<double>(on_device)};
        units = unit_demand(*counters, demand.per_block.threads, sms, model.kernels.capacities,
                            dram, by_code, at_once);
        demand.dram_share = (*counters)[KernelCounter::dram].value_or(0);
        demand.counted_duration =
            round_to_duration((*counters)[KernelCounter::duration_ns].value_or(0));
        demand.sm_active = (*counters)[KernelCounter::sm_active].value_or(0);
    }
    if (!units && code != nullptr) {
        units = code_demand(*code, demand.per_block.threads, demand.blocks_per_sm, model);
    }
    demand.counted = units.has_value();
    if (units) {
        demand.units = *units;
        demand.brought_into_l2 = units->device[static_cast<std::size_t>(DeviceUnit::dram)] *
                                 model.kernels.capacities[DeviceUnit::dram] * dram;
    } else {
        demand.units.sm[static_cast<std::size_t>(SmUnit::issue_slots)] =
            demand.warps_per_block() / model.kernels.saturating_warps;
    }
    demand.uses_tensor_cores = uses_tensor_cores(demand.units, demand.blocks_per_sm);
    demand.beside_tensor =
        demand.uses_tensor_cores ? 1 : slow_down_beside_tensor(demand.units, model.kernels);
    if (counters != nullptr && demand.counted) {
        demand.units.queue = queue_demand(*counters, code, demand, model);
    }
    if (code != nullptr && has_wide_loads(*code)) {
        demand.units.share_beyond_capacity = model.kernels.wide_loads_share;
    }
    demand.load_per_block = demand.units.most_of_sm();
    demand.speed_on_device = speed_on_device(demand, multiprocessors(model.device));
    if (demand.units.l2_waits >= kHardlyWaits) {
        demand.ends_within_sm = ends_within_sm(demand.units.queue_order);
        demand.ends_sm_by_sm =
            ends_sm_by_sm(demand.ends_within_sm, demand.blocks_per_sm, model.kernels.ends_apart);
    }
    demand.traits = traits_of(demand.units);
    demand.pace = demand.units.interval > 0 ? 1 / demand.units.interval : 0;
    return demand;
}

LaunchTimes launch_times(const Measured& measured, const KernelDemand& demand,
                         const DeviceModel& model, const SoloRun& solo) {
    const auto blocks = std::max<std::uint64_t>(measured.amount, 1);
    LaunchTimes times;
    const auto floor = model.kernels.floor;
    const auto counted = idle_time(measured, demand, solo);
    const auto idle =
        counted >= Duration{} ? std::max(floor, counted) : floor + edges(measured, demand, model);
    const auto working = std::max(measured.duration - idle, Duration{1});
    times.block = std::max(round_to_duration(static_cast<double>(working.count()) / solo.length),
                           Duration{1});
    const auto share = static_cast<double>(demand.blocks) / static_cast<double>(blocks);
    const auto kept = std::sqrt(std::min(1.0, share));
    times.beyond = floor + round_to_duration(kept * static_cast<double>((idle - floor).count()));
    return times;
}

double ends_within_sm(double order) { return order > 0 ? 1 - (1 - std::exp(-order)) / order : 0; }

bool ends_sm_by_sm(double within, std::uint32_t blocks, double apart) {
    return within <= apart || within >= apart * (std::max(blocks, 2U) - 1);
}

}  // namespace overcast
