#include "simulator/kernel_demands.hpp"

#include "core/operation.hpp"
#include "model/l2_halves.hpp"
#include "model/slots_reached.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace overcast {
namespace {

/// Slowest over fastest launch, beyond what the L2 explains. Assumes: those that differ by more do
/// other work.
constexpr double kLuck = 1.1;

/// A D2D copy or memset as a kernel: it fills the device once.
/// Assumes: one block of 1024 threads per SM; rule 24 says only that it waits for room.
KernelDemand demand_of_fill(const DeviceModel& model) {
    KernelShape shape;
    shape.grid.x = multiprocessors(model.device);
    shape.block.x = 1024;
    shape.registers_per_thread = 16;
    auto demand = kernel_demand(shape, model);
    return demand;
}

/// As if no queue to global memory were ever full, clusters were placed block by block, or no load
/// waited before a memory is full.
DeviceModel with_rules(DeviceModel model, const Rules& rules) {
    if (!rules[Rule::memory_queue]) {
        model.kernels.capacities.queue_order = {};
        model.kernels.capacities.order_of_sectors = {};
        model.kernels.capacities.order_of_lines = {};
        model.kernels.capacities.queue_instructions = 0;
        model.kernels.capacities[SmUnit::global_queue] = std::numeric_limits<double>::infinity();
    }
    if (!rules[Rule::clusters]) {
        model.kernels.cluster_multiprocessors = {};
    }
    if (!rules[Rule::memory_latency]) {
        model.kernels.capacities.l2_latency_growth = 0;
        model.kernels.capacities.dram_latency_growth = 0;
    }
    return model;
}

/// By where in the L2 a kernel finds what earlier ones used. It was recorded alone.
void find_round(const Workload& workload, const DeviceModel& model, KernelDemand& demand) {
    if (workload.round) {
        const auto sms = std::min<std::uint64_t>(demand.blocks, multiprocessors(model.device));
        demand.round = slow_down_of_round(demand.units, model, workload.round->recorded,
                                          static_cast<double>(sms), workload.round->now);
    }
}

/// Whether they differ by no more than what each happened to find.
bool differ_by_luck(const std::vector<Measured>& launches, const RoundSlowDown& round) {
    const auto [first, last] = std::ranges::minmax(launches, {}, &Measured::duration);
    const auto [fast, slow] = std::minmax({round.in_one, round.in_both});
    const auto ratio = static_cast<double>(last.duration.count()) /
                       static_cast<double>(std::max(first.duration, Duration{1}).count());
    return ratio <= kLuck * slow / fast && std::ranges::all_of(launches, [&](const auto& each) {
               return each.amount == first.amount;
           });
}

/// By kernel, the launches of those for which `wanted` holds (of the kernel's index).
template <typename Wanted>
std::vector<std::vector<Measured>> launches_of(const Workload& workload, const Wanted& wanted) {
    std::vector<std::vector<Measured>> launches(workload.kernels.size());
    for (const auto& operation : workload.operations) {
        const auto* launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch != nullptr && launch->measured && wanted(index(launch->kernel))) {
            launches[index(launch->kernel)].push_back(*launch->measured);
        }
    }
    return launches;
}

Duration mean_duration(const std::vector<Measured>& launches) {
    Duration sum{};
    for (const auto& measured : launches) {
        sum += measured.duration;
    }
    return sum / launches.size();
}

/// Launches of a kernel that goes round its data are all played as their mean.
void level_rounds(const Workload& workload, std::vector<KernelDemand>& demands) {
    const auto launches =
        launches_of(workload, [&](std::size_t kernel) { return demands[kernel].round.felt(); });
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (!launches[i].empty() && differ_by_luck(launches[i], demands[i].round)) {
            demands[i].round.mean =
                Measured{mean_duration(launches[i]), launches[i].front().amount};
        }
    }
}

/// From how long the launches take of which nobody reads counters.
void find_slots_reached(const Workload& workload, const DeviceModel& model,
                        std::vector<KernelDemand>& demands) {
    const auto launches = launches_of(workload, [&](std::size_t kernel) {
        return workload.kernels[kernel].counters.has_value();
    });
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (!launches[i].empty()) {
            demands[i].units.slots_reached =
                slots_reached(*workload.kernels[i].counters, mean_duration(launches[i]), model);
        }
    }
}

}  // namespace

bool outgrows_l2(const Workload& workload, const DeviceModel& model) {
    return !workload.device_bytes ||
           static_cast<double>(workload.device_bytes->count()) > model.kernels.l2_kept_bytes;
}

std::vector<KernelDemand> kernel_demands(const Workload& workload, const DeviceModel& model,
                                         const Rules& rules) {
    const bool all =
        rules[Rule::memory_queue] && rules[Rule::clusters] && rules[Rule::memory_latency];
    const auto without = all ? std::nullopt : std::optional{with_rules(model, rules)};
    const auto& known = without ? *without : model;
    std::vector<KernelDemand> demands;
    demands.reserve(workload.kernels.size() + 1);
    for (const auto& kernel : workload.kernels) {
        demands.push_back(kernel_demand(kernel.shape, known,
                                        kernel.counters ? &*kernel.counters : nullptr,
                                        kernel.code ? &*kernel.code : nullptr));
        demands.back().function = number(kernel.name);
        if (!kernel.counters && !outgrows_l2(workload, known)) {
            demands.back().brought_into_l2 = 0;
        }
        if (rules[Rule::l2_halves]) {
            find_round(workload, known, demands.back());
        }
    }
    if (std::ranges::any_of(workload.kernels,
                            [](const auto& each) { return each.counters.has_value(); })) {
        find_slots_reached(workload, known, demands);
    }
    demands.push_back(demand_of_fill(model));
    demands.back().function = static_cast<std::uint32_t>(workload.names.size());  // of no kernel
    if (std::ranges::any_of(demands, [](const auto& each) { return each.round.felt(); })) {
        level_rounds(workload, demands);
    }
    return demands;
}

}  // namespace overcast
