#include "model/unit_demand.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr double kThreadsPerWarp = 32;
constexpr double kSchedulers = 4;        // of an SM, since compute capability 5.0
constexpr double kContendedFrom = 0.85;  // of a unit's capacity
constexpr double kContendedFully = 0.95;

double busiest(const KernelCounters& counters, const UnitCapacities& capacities) {
    double most = 0;
    for (std::size_t i = 0; i < kSmUnits; ++i) {
        const auto share = counters[counter_of(static_cast<SmUnit>(i))].value_or(0);
        most = std::max(most, share / capacities.sm[i]);
    }
    return most;
}

/// f of the header.
double speed_up_alone(const KernelCounters& counters, const UnitCapacities& capacities) {
    const auto issue = counters[KernelCounter::issue_slots].value_or(0);
    const auto warps = counters[KernelCounter::warps_per_sm].value_or(0);
    if (issue <= 0 || warps <= 0) {
        return 1;
    }
    double waiting = 0;  // at an issued instruction, per scheduler
    for (const auto counter :
         {KernelCounter::stalled_by_math_pipe, KernelCounter::stalled_by_memory_queue,
          KernelCounter::stalled_by_global_queue, KernelCounter::stalled_by_other_warp}) {
        waiting += counters[counter].value_or(0);
    }
    // Mean warps per scheduler over the time, divided by instructions per cycle.
    const auto around = warps / kSchedulers / issue;
    const auto alone = std::max(around - waiting, 1.0);  // the one that issues
    const auto contended = std::clamp(
        (busiest(counters, capacities) - kContendedFrom) / (kContendedFully - kContendedFrom), 0.0,
        1.0);
    return 1 + contended * (std::max(around / alone, 1.0) - 1);
}

}  // namespace

KernelCounter counter_of(SmUnit unit) {
    switch (unit) {
        case SmUnit::issue_slots: return KernelCounter::issue_slots;
        case SmUnit::fma_pipe: return KernelCounter::fma_pipe;
        case SmUnit::fma_heavy_pipe: return KernelCounter::fma_heavy_pipe;
        case SmUnit::alu_pipe: return KernelCounter::alu_pipe;
        case SmUnit::xu_pipe: return KernelCounter::xu_pipe;
        case SmUnit::fp64_pipe: return KernelCounter::fp64_pipe;
        case SmUnit::tensor_pipe: return KernelCounter::tensor_pipe;
        case SmUnit::lsu_pipe: return KernelCounter::lsu_pipe;
        case SmUnit::l1: break;
    }
    return KernelCounter::l1;
}

KernelCounter counter_of(DeviceUnit unit) {
    switch (unit) {
        case DeviceUnit::l2_requests: return KernelCounter::l2_requests;
        case DeviceUnit::l2_replies: return KernelCounter::l2_replies;
        case DeviceUnit::l2_fabric: return KernelCounter::l2_fabric;
        case DeviceUnit::dram: break;
    }
    return KernelCounter::dram;
}

double UnitDemand::most_of_sm() const { return *std::max_element(sm.begin(), sm.end()); }

double UnitDemand::most_of_device() const {
    return *std::max_element(device.begin(), device.end());
}

std::optional<UnitDemand> unit_demand(const KernelCounters& counters, std::uint32_t threads,
                                      std::uint32_t multiprocessors,
                                      const UnitCapacities& capacities) {
    const auto warps = counters[KernelCounter::warps_per_sm];
    const auto active = counters[KernelCounter::sm_active];
    if (!warps || !active || *warps <= 0 || *active <= 0) {
        return std::nullopt;
    }
    const auto blocks_per_sm = *warps * kThreadsPerWarp / threads;
    const auto blocks = blocks_per_sm * *active * multiprocessors;
    const auto faster = speed_up_alone(counters, capacities);
    UnitDemand demand;
    for (std::size_t i = 0; i < kSmUnits; ++i) {
        const auto share = counters[counter_of(static_cast<SmUnit>(i))].value_or(0);
        demand.sm[i] = faster * share / (blocks_per_sm * capacities.sm[i]);
    }
    for (std::size_t i = 0; i < kDeviceUnits; ++i) {
        const auto share = counters[counter_of(static_cast<DeviceUnit>(i))].value_or(0);
        demand.device[i] = faster * share / (blocks * capacities.device[i]);
    }
    return demand;
}

}  // namespace overcast
