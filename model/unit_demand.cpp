#include "model/unit_demand.hpp"

#include "model/block_speed_up.hpp"
#include "model/l2_retention.hpp"
#include "model/l2_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace overcast {
namespace {

/// At the most, where each asks for one sector of four.
constexpr double kRequestsPerReply = 4;
/// Through its memory, of a kernel that comes back to it. Assumes: fewer may be of a small part.
constexpr double kLeastRounds = 30;
/// Likewise, of one whose requests are for a sector here and there: of no part in particular.
constexpr double kLeastRoundsHereAndThere = 5;
/// Bytes of a line over those of the two sectors that the DRAM moves for one. Assumes: all of the
/// line takes room in the L2.
constexpr double kLineOfTwoSectors = kL1Line / (2 * kL2Sector);
/// Of the DRAM per share of what is written. Assumes: from there on the L2 does not keep it.
constexpr double kDramOfWrites = 0.05;

constexpr double kLongestBurst = 100;
/// Cycles per instruction. Assumes: beyond, loads are waited for, no arithmetic.
constexpr double kArithmetic = 8;
/// Of the instructions. Assumes: where fewer wait for the one before, something else ends runs.
constexpr double kLeastLast = 0.1;
/// Cycles for which a warp waits for its last instruction, per cycle that it waits for a branch.
/// Assumes: the limit lies between 2.7, the most seen where only the loop's end holds warps up, and
/// 7, the least where they wait within it.
constexpr double kWaitsPerBranch = 4;
constexpr double kLongestReady =
    2;  // cycles per instruction; Assumes: beyond, loads are waited for

/// Requests per ns that an SM sends to the L2 at its peak, if all send alike.
double requests_of_sm(const UnitCapacities& capacities, std::uint32_t multiprocessors) {
    return capacities.l2_requests_per_ns() / multiprocessors;
}

/// Of what one SM can get from the L2: of replies, or of requests where each is for little.
double share_of_path(double replies, double requests, const UnitCapacities& capacities) {
    double share = 0;
    if (capacities.l2_path > 0) {
        share = replies / capacities.of_this_l2(capacities.l2_path);
    }
    if (capacities.l2_path_requests > 0) {
        share = std::max(share, requests / capacities.of_this_l2(capacities.l2_path_requests));
    }
    return share;
}

/// Warps that wait for the fixed time of their last instruction hardly longer than what each branch
/// costs: at the end of a loop, not within.
bool is_always_ready(const KernelCounters& counters, const Schedule& of) {
    const auto waits = counters[KernelCounter::stalled_by_dependency];
    const auto branches = counters[KernelCounter::stalled_by_branch];
    return waits && branches && of.alone < kLongestReady && *waits < kWaitsPerBranch * *branches;
}

/// UnitDemand::queued_ns. A pass takes `faster` times as long as on an idle device, since its
/// requests wait behind those of all its blocks on the SM.
double queued_ns(const KernelCounters& counters, const UnitCapacities& capacities,
                 const L2Traffic& traffic, double faster, double blocks_per_sm) {
    const auto load = mean_load(loads_hit_rate(counters, traffic), capacities.dram_latency);
    return std::isfinite(faster) ? (faster - 1) * load * capacities.l2_latency_ns / blocks_per_sm
                                 : 0;
}

/// What is on its way from the L2 to an SM, of a kernel whose requests are for little each.
void add_way_to_l2(const KernelCounters& counters, const UnitCapacities& capacities,
                   double requests_of_sm, UnitDemand& demand) {
    if (are_scattered(counters)) {
        demand.l2_path_bytes = kL1Line * requests_of_sm *
                               capacities.of_this_l2(capacities.l2_path_requests) *
                               capacities.l2_latency_ns;
    }
}

/// What is written to the L2, where each request is for a sector by itself and goes on to the DRAM.
std::optional<double> scattered_writes(const KernelCounters& counters) {
    const auto dram = counters[KernelCounter::dram];
    const auto writes = share_of(counters, DeviceUnit::l2_writes);
    if (!dram || !writes) {
        return std::nullopt;
    }
    const bool leave = *dram > kDramOfWrites * *writes;
    return are_scattered(counters) && leave ? *writes : 0;
}

/// What a block looks up, and whether it comes back to it; of how many requests at once each may
/// have lost its data. Those to neighbouring lines are lost together, and in a full queue requests
/// wait for each other anyway.
void add_use_of_l2(const KernelCounters& counters, const UnitCapacities& capacities, double blocks,
                   double at_once, UnitDemand& demand) {
    const auto looked_up = counters[KernelCounter::l2].value_or(0) * capacities.l2_bytes_per_ns;
    const auto memory = counters[KernelCounter::memory_bytes].value_or(0);
    const auto duration = counters[KernelCounter::duration_ns].value_or(0);
    demand.l2_lookups = looked_up / blocks;
    const auto least = are_scattered(counters) ? kLeastRoundsHereAndThere : kLeastRounds;
    if (looked_up * duration > least * memory) {
        demand.footprint = memory;
    }
    const bool queue_is_full = demand.sm[static_cast<std::size_t>(SmUnit::global_queue)] > 0;
    demand.room_per_byte = are_scattered(counters) ? kLineOfTwoSectors : 1;
    if (are_scattered(counters) && !queue_is_full) {
        demand.lost_apart = std::max(1.0, at_once);
    }
}

/// UnitDemand::on_fast_sms of a kernel of so many blocks at once, which want `on_way` bytes of an
/// SM on their way.
double on_fast_sms(const UnitDemand& demand, double blocks, double on_way, const FastSms& fast) {
    const bool queue_is_full = demand.sm[static_cast<std::size_t>(SmUnit::global_queue)] > 0;
    if (queue_is_full) {
        return fast.speed;
    }
    if (demand.held_in_l1 > 0) {
        const auto beyond = std::max(0.0, on_way - fast.lines_from);
        const auto waiting = beyond > 0 ? beyond / (fast.lines_full - fast.lines_from) : 0;
        return 1 + std::min(waiting, 1.0) * (fast.speed_of_lines - 1);
    }
    return demand.most_of_device() * blocks >= 1 ? fast.speed_of_chains : 1;
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
        case SmUnit::global_queue: return KernelCounter::stalled_by_global_queue;
        case SmUnit::l1: break;
    }
    return KernelCounter::l1;
}

std::string_view to_string(SmUnit unit) { return to_string(counter_of(unit)); }

std::string_view to_string(DeviceUnit unit) {
    switch (unit) {
        case DeviceUnit::l2_requests: return to_string(KernelCounter::l2_requests);
        case DeviceUnit::l2_writes: return "l2_writes";
        case DeviceUnit::l2_replies: return to_string(KernelCounter::l2_replies);
        case DeviceUnit::l2_fabric: return to_string(KernelCounter::l2_fabric);
        case DeviceUnit::dram: return to_string(KernelCounter::dram);
        case DeviceUnit::dram_writes: break;
    }
    return "dram_writes";
}

std::optional<double> share_of(const KernelCounters& counters, SmUnit unit) {
    return unit == SmUnit::global_queue ? std::nullopt : counters[counter_of(unit)];
}

std::optional<double> share_of(const KernelCounters& counters, DeviceUnit unit) {
    switch (unit) {
        case DeviceUnit::l2_requests: return counters[KernelCounter::l2_requests];
        case DeviceUnit::l2_writes: {
            const auto requests = counters[KernelCounter::l2_requests];
            const auto replies = counters[KernelCounter::l2_replies];
            if (!requests || !replies) {
                return std::nullopt;
            }
            return std::max(0.0, *requests - kRequestsPerReply * *replies);
        }
        case DeviceUnit::l2_replies: return counters[KernelCounter::l2_replies];
        case DeviceUnit::l2_fabric: return counters[KernelCounter::l2_fabric];
        case DeviceUnit::dram: return counters[KernelCounter::dram];
        case DeviceUnit::dram_writes: break;
    }
    return scattered_writes(counters);
}

double UnitCapacities::l2_requests_per_ns() const {
    return l2_bytes_per_ns / kL2Sector / l2_sectors_per_request;
}

double UnitCapacities::reached_of_dram(double moved, double written) const {
    const bool known = !dram_by_written.empty() && moved > 0;
    return known ? dram_by_written.linear(written / moved) : 1;
}

double UnitCapacities::wait_where_full(DeviceUnit unit) const {
    switch (unit) {
        case DeviceUnit::dram: return dram_latency * dram_latency_growth;
        case DeviceUnit::dram_writes: return 0;
        default: return l2_latency_growth;
    }
}

double UnitDemand::waits_for(DeviceUnit unit) const {
    const bool dram = unit == DeviceUnit::dram || unit == DeviceUnit::dram_writes;
    return l2_waits * (dram ? 1 - l2_hit_rate : 1);
}

double burst_of(double interval, double factor) {
    return std::min(1 + factor / std::max(interval - 1, 1e-9), kLongestBurst);
}

double queue_order(double waiting, const QueueOrder& order) {
    return order.per_wait * std::max(0.0, waiting - order.none_up_to);
}

double UnitDemand::order_while(double there) const {
    return overcast::queue_order(queue_waiting * there, order_on_sm);
}

double rest_of_run(double dependent, double interval, const UnitCapacities& capacities) {
    if (interval <= kArithmetic || capacities.burst <= 0) {
        return 0;
    }
    const auto last = std::clamp(dependent / capacities.result_cycles, kLeastLast, 1.0);
    return (1 - last) / last;
}

double UnitDemand::most_of_sm() const { return *std::max_element(sm.begin(), sm.end()); }

double UnitDemand::most_of_device() const {
    return *std::max_element(device.begin(), device.end());
}

std::optional<UnitDemand> unit_demand(const KernelCounters& counters, std::uint32_t threads,
                                      std::uint32_t multiprocessors,
                                      const UnitCapacities& capacities, double dram_bytes_per_ns,
                                      const SeenByCode& by_code, const BlocksAtOnce& at_once) {
    const auto warps = counters[KernelCounter::warps_per_sm];
    const auto active = counters[KernelCounter::sm_active];
    if (!warps || !active || *warps <= 0 || *active <= 0) {
        return std::nullopt;
    }
    const auto blocks_per_sm = *warps * kThreadsPerWarp / threads;
    const auto blocks = blocks_per_sm * *active * multiprocessors;
    const auto replies = counters[KernelCounter::l2_replies].value_or(0) / *active;
    const auto requests =
        are_scattered(counters) ? counters[KernelCounter::l2_requests].value_or(0) / *active : 0;
    const auto all_warps = blocks * threads / kThreadsPerWarp;
    const auto fuller = std::max(1.0, at_once.on_device / blocks);
    const auto traffic = l2_traffic(counters, capacities, dram_bytes_per_ns);
    const auto written = dram_written(traffic, counters, dram_bytes_per_ns);
    const auto few = speed_up_on_idle_device(counters, capacities, all_warps, fuller, written,
                                             by_code.most_faster);
    const auto waiting = waiting_for_queue(counters, capacities);
    const auto in_queue = speed_up_in_queue(waiting, blocks_per_sm);
    const auto between = between_barriers(counters, blocks_per_sm);
    const auto on_sm =
        std::max({in_queue, between.slowed,
                  speed_up_alone(counters, blocks_per_sm, at_once.on_sm, capacities)});
    const auto alone = std::max(on_sm, few);  // so much faster
    // An SM's blocks together are no faster than what it gets from the L2 lets them be.
    const auto to_l2 = share_of_way_to_l2(traffic, capacities, *active * multiprocessors);
    const auto from_l2 = share_of_path(replies, requests, capacities);
    const auto path = std::max(from_l2, to_l2);
    const auto on_path = path > 0 ? std::min(few, std::max(1.0, 1 / path)) : few;
    const auto of_units = std::max(on_sm, on_path);
    UnitDemand demand;
    demand.held_by_path = alone / of_units;
    for (std::size_t i = 0; i < kSmUnits; ++i) {
        const auto share = share_of(counters, static_cast<SmUnit>(i)).value_or(0);
        demand.sm[i] = of_units * share / (blocks_per_sm * capacities.sm[i]);
    }
    if (in_queue > 1) {
        demand.sm[static_cast<std::size_t>(SmUnit::global_queue)] = in_queue / blocks_per_sm;
        demand.queue_order = queue_order(waiting, capacities.queue_order);
        demand.order_on_sm =
            are_scattered(counters) ? capacities.order_of_sectors : capacities.order_of_lines;
        demand.queue_waiting = waiting;
        demand.queue_blocks = blocks_per_sm;
    }
    for (std::size_t i = 0; i < kDeviceUnits; ++i) {
        const auto share = share_of(counters, static_cast<DeviceUnit>(i)).value_or(0);
        demand.device[i] = alone * share / (blocks * capacities.device[i]);
    }
    demand.l2_path = alone * from_l2 / blocks_per_sm;
    demand.l2_path_sent = alone * to_l2 / blocks_per_sm;
    add_way_to_l2(counters, capacities, requests_of_sm(capacities, multiprocessors), demand);
    demand.busy_between_barriers = between.busy;
    demand.l2_hit_rate = l2_hit_rate(counters);
    demand.line_latencies = line_latencies(counters, capacities, traffic);
    add_use_of_l2(counters, capacities, blocks,
                  requests_at_once(counters, capacities, all_warps, alone), demand);
    demand.l2_lookups *= alone;
    demand.l2_waits = l2_waits(counters, capacities, all_warps, alone);
    if (!are_scattered(counters)) {
        demand.l2_waits = std::min(demand.l2_waits, alone * by_code.most_l2_waits);
    }
    demand.held_in_l1 = demand.most_of_device() * blocks < 1
                            ? 0
                            : held_in_l1(counters, capacities, traffic, alone) / blocks;
    const auto warps_at_once = at_once.on_device * threads / kThreadsPerWarp / multiprocessors;
    demand.on_fast_sms =
        on_fast_sms(demand, blocks, std::max(warps_at_once, *warps) * by_code.bytes_at_once,
                    capacities.fast_sms);
    demand.queued_ns = queued_ns(counters, capacities, traffic, by_code.most_faster, blocks_per_sm);
    demand.dram_written = alone * written / (blocks * capacities[DeviceUnit::dram]);
    if (const auto of = schedule(counters)) {
        demand.burst = burst_of(of->alone, capacities.burst);
        demand.interval = of->alone;
        if (const auto waits = counters[KernelCounter::stalled_by_dependency]) {
            demand.rest_of_run = rest_of_run(*waits, of->alone, capacities);
        }
        demand.always_ready = is_always_ready(counters, *of);
    }
    return demand;
}

}  // namespace overcast
