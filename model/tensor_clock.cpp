#include "model/tensor_clock.hpp"

#include <algorithm>

namespace overcast {

double slow_down_beside_tensor(const UnitDemand& demand, const KernelParameters& parameters) {
    const auto load = mean_load(demand.l2_hit_rate, parameters.capacities.dram_latency);
    const auto waits = std::min(1.0, demand.l2_waits * load);
    const auto of_loads = waits / load * (parameters.load_beside_tensor - 1);
    return 1 + (1 - waits) * (parameters.beside_tensor - 1) + of_loads;
}

}  // namespace overcast
