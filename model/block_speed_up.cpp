#include "model/block_speed_up.hpp"

#include "model/kernel_concurrency.hpp"
#include "model/l2_traffic.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

/// Of the warps. Assumes: fewer that wait for room in a queue have met by chance.
constexpr double kWaitForFullQueue = 0.1;

/// Of the warps. Assumes: fewer do not decide when a block is done.
constexpr double kWaitAtBarrier = 0.1;

double busiest(const KernelCounters& counters, const UnitCapacities& capacities) {
    double most = 0;
    for (std::size_t i = 0; i < kSmUnits; ++i) {
        const auto share = share_of(counters, static_cast<SmUnit>(i)).value_or(0);
        most = std::max(most, share / capacities.sm[i]);
    }
    return most;
}

/// Of the unit of the device that it uses most, of what can be reached of it.
double busiest_of_device(const KernelCounters& counters, const UnitCapacities& capacities,
                         double written) {
    double most = 0;
    for (std::size_t i = 0; i < kDeviceUnits; ++i) {
        const auto unit = static_cast<DeviceUnit>(i);
        const auto share = share_of(counters, unit).value_or(0);
        const auto reached =
            unit == DeviceUnit::dram ? capacities.reached_of_dram(share, written) : 1;
        most = std::max(most, share / (capacities[unit] * reached));
    }
    return most;
}

/// How much faster blocks of a kernel that uses all of a unit of the device are where few of them
/// are there: as its code lets them be on an idle device, or, where that does not say or requests
/// are for a sector each, as if so many warps as saturate it had it to themselves.
double speed_up_of_few(const KernelCounters& counters, const UnitCapacities& capacities,
                       double fuller, double written, double by_code) {
    double most = 1;
    if (std::isfinite(by_code) && !are_scattered(counters)) {
        most = by_code;
    } else if (capacities.memory_warps > 0) {
        const auto warps = counters[KernelCounter::warps_per_sm].value_or(0) *
                           counters[KernelCounter::sm_active].value_or(0);
        most = std::max(warps / capacities.memory_warps, 1.0);
    }
    const auto used = fuller * busiest_of_device(counters, capacities, written);
    return 1 + contention(used) * (most - 1);
}

/// How much faster a kernel is that finds the units of the device idle where it had made its own
/// requests wait.
double speed_up_of_latency(const KernelCounters& counters, const UnitCapacities& capacities,
                           double warps, double fuller) {
    UnitDemand alone;
    alone.l2_waits = l2_waits(counters, capacities, warps, 1);
    alone.l2_hit_rate = l2_hit_rate(counters);
    double most = 1;
    for (std::size_t i = 0; i < kDeviceUnits; ++i) {
        const auto unit = static_cast<DeviceUnit>(i);
        const auto share = share_of(counters, unit).value_or(0) / capacities[unit];
        const auto wait = grown(capacities.wait_where_full(unit), std::min(1.0, fuller * share));
        most = std::max(most, 1 + alone.waits_for(unit) * wait);
    }
    return most;
}

/// How much faster a kernel is whose requests for a sector each fill those that the L2 can look up,
/// where it finds the L2 idle. Its code says how many are on their way at once.
double speed_up_of_scattered(const KernelCounters& counters, const UnitCapacities& capacities,
                             double fuller, double by_code) {
    if (!are_scattered(counters) || !std::isfinite(by_code)) {
        return 1;
    }
    const auto used = fuller * counters[KernelCounter::l2_requests].value_or(0);
    const auto contended = contention(used / capacities[DeviceUnit::l2_requests]);
    return 1 + contended * (std::min(by_code, 1 + capacities.l2_longest_wait) - 1);
}

}  // namespace

std::optional<Schedule> schedule(const KernelCounters& counters) {
    const auto issue = counters[KernelCounter::issue_slots].value_or(0);
    const auto warps = counters[KernelCounter::warps_per_sm].value_or(0);
    if (issue <= 0 || warps <= 0) {
        return std::nullopt;
    }
    double waiting = 0;
    for (const auto counter :
         {KernelCounter::stalled_by_math_pipe, KernelCounter::stalled_by_memory_queue,
          KernelCounter::stalled_by_global_queue, KernelCounter::stalled_by_other_warp}) {
        waiting += counters[counter].value_or(0);
    }
    // Mean warps per scheduler over the time, divided by instructions per cycle.
    const auto around = warps / kSchedulers / issue;
    return Schedule{around, std::max(around - waiting, 1.0)};  // the one that issues
}

double speed_up_alone(const KernelCounters& counters, double blocks_per_sm, double at_once,
                      const UnitCapacities& capacities) {
    const auto of = schedule(counters);
    if (!of) {
        return 1;
    }
    const auto by_others = counters[KernelCounter::stalled_by_other_warp].value_or(0) *
                           std::max(0.0, 1 - 1 / blocks_per_sm);
    const auto least = of->around / std::max(of->around - by_others, 1.0);
    // While all of an SM's blocks were there: where they end one after the other, the unit that is
    // full then is not in the mean of the launch.
    const auto used = busiest(counters, capacities) * std::max(1.0, at_once / blocks_per_sm);
    return std::max(least, 1 + contention(used) * (std::max(of->around / of->alone, 1.0) - 1));
}

double waiting_for_queue(const KernelCounters& counters, const UnitCapacities& capacities) {
    const auto of = schedule(counters);
    if (!of) {
        return 0;
    }
    const auto waiting = counters[KernelCounter::stalled_by_global_queue].value_or(0) / of->around;
    const bool full = waiting > kWaitForFullQueue * capacities[SmUnit::global_queue];
    return full && waiting < 1 ? waiting : 0;
}

double speed_up_in_queue(double waiting, double blocks_per_sm) {
    return std::max(1.0, std::min(1 / (1 - waiting), blocks_per_sm));
}

BetweenBarriers between_barriers(const KernelCounters& counters, double blocks_per_sm) {
    const auto of = schedule(counters);
    const auto waiting = counters[KernelCounter::stalled_by_barrier].value_or(0);
    if (!of || waiting <= kWaitAtBarrier * of->around) {
        return {};
    }
    const auto seen = counters[KernelCounter::issue_slots].value_or(0) / blocks_per_sm;
    const auto others = std::max(0.0, blocks_per_sm - 1);
    BetweenBarriers result{seen, 1};
    constexpr int kSteps = 20;  // of which each is some tenth of the one before
    for (int step = 0; step < kSteps; ++step) {
        result.slowed = slowed_at_barriers(result.busy, blocks_at_scheduler(result.busy, others),
                                           others * result.busy);
        result.busy = std::min(1.0, seen * result.slowed);
    }
    return result;
}

double l2_waits(const KernelCounters& counters, const UnitCapacities& capacities, double warps,
                double faster) {
    const auto latency = mean_load(l2_hit_rate(counters), capacities.dram_latency);
    return std::min(1.0, requests_at_once(counters, capacities, warps, faster)) / latency;
}

double speed_up_on_idle_device(const KernelCounters& counters, const UnitCapacities& capacities,
                               double warps, double fuller, double written, double by_code) {
    return std::min(by_code,
                    std::max({speed_up_of_few(counters, capacities, fuller, written, by_code),
                              speed_up_of_latency(counters, capacities, warps, fuller),
                              speed_up_of_scattered(counters, capacities, fuller, by_code)}));
}

}  // namespace overcast
