#include "model/code_demand.hpp"

#include "model/kernel_model.hpp"
#include "model/l2_traffic.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace overcast {
namespace {

/// Of the issue slots, where all of the tensor pipe is used. Assumes: as cuBLAS' products.
constexpr double kIssueOfTensor = 0.2;
/// Of the cycles. Assumes: a warp that keeps one pipe busy for so much of them does not wait within
/// its loop.
constexpr double kNeverWaits = 0.85;
/// Bytes of global memory per cycle of the LSU, at least: 128 with 16 per thread, 64 with 8.
constexpr double kWideLoads = 0.8 * 128;
/// Bytes per warp that are waited for together: two loads of 16 per thread.
constexpr double kSeveralAtOnce = 2 * 16 * kThreadsPerWarp;
constexpr std::array kUnits{
    std::pair{CodeUnit::fma_pipe, SmUnit::fma_pipe},
    std::pair{CodeUnit::fma_heavy_pipe, SmUnit::fma_heavy_pipe},
    std::pair{CodeUnit::alu_pipe, SmUnit::alu_pipe},
    std::pair{CodeUnit::xu_pipe, SmUnit::xu_pipe},
    std::pair{CodeUnit::fp64_pipe, SmUnit::fp64_pipe},
    std::pair{CodeUnit::lsu_pipe, SmUnit::lsu_pipe},
    std::pair{CodeUnit::l1, SmUnit::l1},
};

double& of(UnitDemand& demand, SmUnit unit) { return demand.sm[static_cast<std::size_t>(unit)]; }
double& of(UnitDemand& demand, DeviceUnit unit) {
    return demand.device[static_cast<std::size_t>(unit)];
}

UnitDemand tensor_demand(std::uint32_t blocks_per_sm, const UnitCapacities& capacities) {
    UnitDemand demand;
    of(demand, SmUnit::tensor_pipe) = 1.0 / blocks_per_sm;
    of(demand, SmUnit::issue_slots) =
        kIssueOfTensor / blocks_per_sm / capacities[SmUnit::issue_slots];
    return demand;
}

double busiest(const KernelCode& code) {
    return std::max(code.instructions,
                    *std::max_element(code.cycles_of.begin(), code.cycles_of.end()));
}

/// `bytes_per_ns` are those of a block.
void add_memory(double bytes_per_ns, const DeviceModel& model, UnitDemand& demand) {
    const auto& capacities = model.kernels.capacities;
    const auto peak_requests = capacities.l2_requests_per_ns();
    if (peak_requests <= 0) {
        return;
    }
    const auto found = capacities.l2_found_uncounted;
    const auto requests = bytes_per_ns / kL1Line / peak_requests;
    const auto replies = capacities.l2_replies_per_request * requests;
    of(demand, DeviceUnit::l2_requests) = requests / capacities[DeviceUnit::l2_requests];
    of(demand, DeviceUnit::l2_replies) = replies / capacities[DeviceUnit::l2_replies];
    if (capacities.l2_path > 0) {
        demand.l2_path =
            replies * multiprocessors(model.device) / capacities.of_this_l2(capacities.l2_path);
    }
    if (const auto peak = model.device.memory_bandwidth_bytes_per_s) {
        of(demand, DeviceUnit::dram) =
            bytes_per_ns * (1 - found) / (*peak / 1e9) / capacities[DeviceUnit::dram];
    }
    demand.l2_hit_rate = found;
    demand.line_latencies = mean_load(found, capacities.dram_latency);
    demand.l2_lookups = bytes_per_ns;
}

double l2_cycles(const DeviceModel& model) {
    return model.kernels.capacities.l2_latency_ns * cycles_per_ns(model.device);
}

/// From a warp's pass to its next while its counters were read; 0: that is not known, or it waits
/// for no loads.
double cycles_of_pass(const KernelCounters& counters, const KernelCode& code,
                      const DeviceModel& model) {
    const auto issued = kSchedulers * counters[KernelCounter::issue_slots].value_or(0);
    const auto warps = counters[KernelCounter::warps_per_sm].value_or(0);
    const bool known = issued > 0 && code.memory_waits > 0 && l2_cycles(model) > 0;
    return known ? warps / issued * code.instructions : 0;
}

}  // namespace

std::optional<UnitDemand> code_demand(const KernelCode& code, std::uint32_t threads,
                                      std::uint32_t blocks_per_sm, const DeviceModel& model) {
    const auto& capacities = model.kernels.capacities;
    if (code[CodeUnit::tensor_pipe] > 0) {
        return tensor_demand(blocks_per_sm, capacities);
    }
    const auto l2_cycles = capacities.l2_latency_ns * cycles_per_ns(model.device);
    if (code.instructions <= 0 || (code.memory_waits > 0 && l2_cycles <= 0)) {
        return std::nullopt;
    }
    const auto load = l2_cycles * mean_load(capacities.l2_found_uncounted, capacities.dram_latency);
    const auto warps = static_cast<double>(threads) / kThreadsPerWarp;
    auto pass = std::max(code.cycles + code.memory_waits * load, busiest(code));
    UnitDemand demand;
    if (code.barriers > 0) {
        // The last warp of each scheduler comes to a barrier when it has issued for all.
        pass += std::max(0.0, warps / kSchedulers - 1) * code.instructions;
    }
    const auto of_scheduler = warps / kSchedulers / pass;
    if (code.barriers > 0) {
        demand.busy_between_barriers = of_scheduler * code.instructions;
    }
    of(demand, SmUnit::issue_slots) =
        of_scheduler * code.instructions / capacities[SmUnit::issue_slots];
    for (const auto& [held, unit] : kUnits) {
        of(demand, unit) = of_scheduler * code[held] / capacities[unit];
    }
    demand.interval = pass / code.instructions;
    demand.burst = burst_of(demand.interval, capacities.burst);
    demand.rest_of_run =
        rest_of_run(code.cycles / code.instructions - 1, demand.interval, capacities);
    demand.always_ready = code.memory_waits == 0 && code[CodeUnit::fma_pipe] > kNeverWaits * pass;
    demand.l2_waits = code.memory_waits * l2_cycles / pass;
    if (const auto clock = cycles_per_ns(model.device); code.global_bytes > 0 && clock > 0) {
        add_memory(warps * code.global_bytes * clock / pass, model, demand);
    }
    return demand;
}

double loads_at_once(const KernelCode& code) {
    const auto all = code[CodeUnit::lsu_pipe] / kLsuCycles;
    return code.memory_waits > 0 ? std::max(1.0, all / code.memory_waits) : 0;
}

double bytes_at_once(const KernelCode& code) {
    return code.memory_waits > 0 ? code.global_bytes / code.memory_waits
                                 : std::numeric_limits<double>::infinity();
}

bool has_wide_loads(const KernelCode& code) {
    return code[CodeUnit::tensor_pipe] <= 0 && code.memory_waits > 0 &&
           code.global_bytes >= kSeveralAtOnce * code.memory_waits &&
           code.global_bytes >= kWideLoads * code[CodeUnit::lsu_pipe];
}

double most_speed_up(const KernelCounters& counters, const KernelCode& code,
                     const DeviceModel& model) {
    const auto seen = cycles_of_pass(counters, code, model);
    if (seen <= 0) {
        return std::numeric_limits<double>::infinity();
    }
    const auto& capacities = model.kernels.capacities;
    const auto traffic = l2_traffic(counters, capacities, dram_bytes_per_ns(model.device));
    const auto found = loads_hit_rate(counters, traffic);
    const auto load = l2_cycles(model) * mean_load(found, capacities.dram_latency);
    const auto idle = code.cycles + code.memory_waits * load;
    return std::max(1.0, seen / idle);
}

double most_l2_waits(const KernelCounters& counters, const KernelCode& code,
                     const DeviceModel& model) {
    const bool known = code.instructions > 0 && code[CodeUnit::tensor_pipe] <= 0;
    if (known && code.memory_waits == 0) {
        return 0;
    }
    const auto seen = cycles_of_pass(counters, code, model);
    if (seen <= 0) {
        return std::numeric_limits<double>::infinity();
    }
    const auto further = std::max(0.0, loads_at_once(code) - 1);
    const auto later = model.kernels.capacities.queue_further_load;
    return code.memory_waits * (1 + later * further) * l2_cycles(model) / seen;
}

}  // namespace overcast
