#include "model/l2_traffic.hpp"

#include <algorithm>

namespace overcast {
namespace {

/// Share of sectors over that of requests. Assumes: below, each request is for one sector.
constexpr double kSectorsOfScattered = 0.5;

}  // namespace

double l2_hit_rate(const KernelCounters& counters) {
    return std::clamp(counters[KernelCounter::l2_hit_rate].value_or(1), 0.0, 1.0);
}

double loads_hit_rate(const KernelCounters& counters, const L2Traffic& traffic) {
    const auto missed = 1 - l2_hit_rate(counters);
    return traffic.read > 0 ? std::max(0.0, 1 - missed * (1 + traffic.written / traffic.read))
                            : 1 - missed;
}

double requests_per_ns(const KernelCounters& counters, const UnitCapacities& capacities) {
    return counters[KernelCounter::l2_requests].value_or(0) * capacities.l2_requests_per_ns();
}

double requests_at_once(const KernelCounters& counters, const UnitCapacities& capacities,
                        double warps, double faster) {
    const auto latency = mean_load(l2_hit_rate(counters), capacities.dram_latency);
    return faster * requests_per_ns(counters, capacities) / warps * capacities.l2_latency_ns *
           latency;
}

bool are_scattered(const KernelCounters& counters) {
    const auto sectors = counters[KernelCounter::l2];
    const auto requests = counters[KernelCounter::l2_requests];
    return sectors && requests && *sectors < kSectorsOfScattered * *requests;
}

L2Traffic l2_traffic(const KernelCounters& counters, const UnitCapacities& capacities,
                     double dram_bytes_per_ns) {
    const auto lines = counters[KernelCounter::l2_replies].value_or(0) /
                       capacities.l2_replies_per_request * capacities.l2_requests_per_ns();
    L2Traffic traffic;
    traffic.read = lines * kL1Line;
    if (are_scattered(counters) || dram_bytes_per_ns <= 0 || capacities.l2_bytes_per_ns <= 0) {
        return traffic;
    }
    const auto all = counters[KernelCounter::l2].value_or(0) * capacities.l2_bytes_per_ns;
    const auto dram = counters[KernelCounter::dram].value_or(0) * dram_bytes_per_ns;
    traffic.written = std::max({0.0, all - traffic.read - dram, dram - traffic.read});
    return traffic;
}

double held_in_l1(const KernelCounters& counters, const UnitCapacities& capacities,
                  const L2Traffic& traffic, double faster) {
    const auto latency =
        capacities.l2_latency_ns * mean_load(l2_hit_rate(counters), capacities.dram_latency);
    return are_scattered(counters) ? 0 : faster * traffic.read * latency;
}

double line_latencies(const KernelCounters& counters, const UnitCapacities& capacities,
                      const L2Traffic& traffic) {
    const auto load = mean_load(loads_hit_rate(counters, traffic), capacities.dram_latency);
    const auto written = traffic.read > 0 ? traffic.written / traffic.read : 0;
    return load * (1 + capacities.l2_path_written * written);
}

double dram_written(const L2Traffic& traffic, const KernelCounters& counters,
                    double dram_bytes_per_ns) {
    const auto moved = counters[KernelCounter::dram].value_or(0);
    return dram_bytes_per_ns > 0 ? std::min(traffic.written / dram_bytes_per_ns, moved) : 0;
}

double share_of_way_to_l2(const L2Traffic& traffic, const UnitCapacities& capacities,
                          double multiprocessors) {
    if (capacities.l2_path_sent <= 0) {
        return 0;
    }
    const auto loads = std::min(traffic.read, traffic.written) / kL1Line;
    const auto sent = traffic.written + loads * capacities.l2_path_sent_per_load;
    return sent / (capacities.l2_path_sent * multiprocessors);
}

}  // namespace overcast
