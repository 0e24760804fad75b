// Blocks of made-up kernels on one SM.
#pragma once

#include "simulator/kernels/sm_sharing.hpp"
#include "tests/support/round_model.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast::test {

/// A kernel whose blocks each ask for a share of a pipe and nothing else.
inline KernelDemand asks_for(SmUnit unit, double share) {
    KernelDemand demand;
    demand.per_block.threads = 128;
    demand.units.sm[static_cast<std::size_t>(unit)] = share;
    demand.load_per_block = share;
    demand.counted = true;
    return demand;
}

inline ResidentBlocks block_of(std::uint32_t kernel, const KernelDemand& demand) {
    return {.kernel = kernel,
            .per_sm = 1,
            .demand = &demand,
            .progress = BlockProgress{100, Duration{}}};
}

inline DeviceModel model_of_whole_units() {
    auto model = round_model();
    model.kernels.capacities.sm.fill(1);
    return model;
}

/// Speeds of a block of each of the first so many, the first one the oldest.
inline std::vector<double> speeds_of(const std::vector<KernelDemand>& demands,
                                     std::size_t residents, const Rules& rules = {},
                                     const DeviceModel& model = model_of_whole_units()) {
    SmSharing sharing{model, demands, rules};
    SmGroup group;
    for (std::uint32_t i = 0; i < residents; ++i) {
        group.residents.push_back(block_of(i, demands[i]));
    }
    sharing.share(group);
    std::vector<double> speeds;
    for (const auto& resident : group.residents) {
        speeds.push_back(resident.speed_on_sm);
    }
    return speeds;
}

inline std::vector<double> speeds_of(const std::vector<KernelDemand>& demands) {
    return speeds_of(demands, demands.size());
}

}  // namespace overcast::test
