#include "model/kernel_model.hpp"

#include "model/kernel_concurrency.hpp"
#include "model/unit_demand.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kRegistersPerWarpUnit = 256;    // CUDA occupancy calculator, cc 9.0
constexpr std::uint32_t kReservedSharedMemory = 1024;   // bytes per block, tuning guide cc 8.0+
constexpr std::uint32_t kDefaultMultiprocessors = 132;  // H200

constexpr std::uint32_t round_up(std::uint64_t value, std::uint32_t unit) {
    return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
}

}  // namespace

std::uint32_t multiprocessors(const DeviceProperties& device) {
    return std::max(1U, device.multiprocessors.value_or(kDefaultMultiprocessors));
}

SmResources sm_limits(const DeviceProperties& device) {
    return {
        .threads = device.threads_per_multiprocessor.value_or(2048),
        .blocks = device.blocks_per_multiprocessor.value_or(32),
        .registers = device.registers_per_multiprocessor.value_or(65536),
        .shared_memory = static_cast<std::uint32_t>(
            device.shared_memory_per_multiprocessor.value_or(Bytes{233472}).count()),
    };
}

SmResources block_needs(const KernelShape& shape) {
    const auto threads = round_up(std::max<std::uint64_t>(shape.block.count(), 1), kWarp);
    const auto warps = threads / kWarp;
    const auto shared = shape.static_shared_memory + shape.dynamic_shared_memory;
    return {
        .threads = threads,
        .blocks = 1,
        .registers = warps * round_up(std::uint64_t{shape.registers_per_thread} * kWarp,
                                      kRegistersPerWarpUnit),
        .shared_memory = static_cast<std::uint32_t>(shared.count()) + kReservedSharedMemory,
    };
}

KernelDemand kernel_demand(const KernelShape& shape, const DeviceModel& model,
                           const KernelCounters* counters) {
    KernelDemand demand;
    demand.per_block = block_needs(shape);
    demand.blocks = std::max<std::uint64_t>(shape.grid.count(), 1);
    // A block that no SM could hold ran all the same on the real device: one per SM.
    demand.blocks_per_sm = std::max(1U, blocks_that_fit(demand.per_block, sm_limits(model.device)));
    demand.carve_out = static_cast<std::uint32_t>(shape.executed_shared_memory.count());
    std::optional<UnitDemand> units;
    if (counters != nullptr) {
        units = unit_demand(*counters, demand.per_block.threads, multiprocessors(model.device),
                            model.kernels.capacities);
        demand.dram_share = (*counters)[KernelCounter::dram].value_or(0);
    }
    demand.counted = units.has_value();
    if (units) {
        demand.units = *units;
    } else {
        demand.units.sm[static_cast<std::size_t>(SmUnit::issue_slots)] =
            static_cast<double>(demand.per_block.threads) / kWarp / model.kernels.saturating_warps;
    }
    demand.load_per_block = demand.units.most_of_sm();
    return demand;
}

Duration block_time(const Measured& measured, const KernelDemand& demand,
                    const DeviceModel& model) {
    const auto sms = multiprocessors(model.device);
    const auto slots = std::uint64_t{demand.blocks_per_sm} * sms;
    const auto blocks = std::max<std::uint64_t>(measured.amount, 1);
    const auto speed = [&](std::uint64_t count) {
        const auto on_sms = mean_speed(count, sms, demand.load_per_block);
        return on_sms *
               shared_speed(static_cast<double>(count) * on_sms * demand.units.most_of_device());
    };
    double waves = 0;  // each as long as a block takes that has an SM to itself
    if (const auto full = blocks / slots; full > 0) {
        waves += static_cast<double>(full) / speed(slots);
    }
    if (const auto tail = blocks % slots; tail > 0) {
        waves += 1 / speed(tail);
    }
    const auto working = std::max(measured.duration - model.kernels.floor, Duration{1});
    return std::max(round_to_duration(static_cast<double>(working.count()) / waves), Duration{1});
}

}  // namespace overcast
