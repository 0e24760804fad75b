#include "model/memory_queue.hpp"

#include "model/l2_traffic.hpp"

#include <algorithm>

namespace overcast {
namespace {

/// Of a warp. Assumes: between one (chains) and eight (unrolled loops).
constexpr double kReadsAtOnce = 6;
/// Of the time that a load is on its way. Assumes: what is written holds its line for so much.
constexpr double kOfWrites = 0.5;

/// Bytes of lines that a block wants on their way at once.
double wanted_in_l1(const KernelCounters& counters, const KernelCode* code,
                    const KernelDemand& demand, const L2Traffic& traffic) {
    if (are_scattered(counters)) {
        const auto queue = static_cast<std::size_t>(SmUnit::global_queue);
        const auto at_once = demand.units.lost_apart * demand.warps_per_block();
        return std::max(demand.units.sm[queue] * left_as_l1(demand.carve_out),
                        demand.units.lost_apart > 1 ? at_once * kL1Line : 0);
    }
    const auto moved = traffic.read + traffic.written;
    if (code == nullptr || code->memory_waits <= 0 || demand.units.held_in_l1 <= 0 || moved <= 0) {
        return 0;
    }
    const auto held = (traffic.read + kOfWrites * traffic.written) / moved;
    return held * code->global_bytes / code->memory_waits * demand.warps_per_block();
}

}  // namespace

QueueDemand queue_demand(const KernelCounters& counters, const KernelCode* code,
                         const KernelDemand& demand, const DeviceModel& model) {
    const auto& capacities = model.kernels.capacities;
    const auto clock = cycles_per_ns(model.device);
    const auto sms = counters[KernelCounter::sm_active].value_or(0) * multiprocessors(model.device);
    const auto instructions = counters[KernelCounter::lsu_pipe].value_or(0) * clock;  // per ns
    if (capacities.queue_instructions <= 0 || clock <= 0 || sms <= 0 || instructions <= 0) {
        return {};
    }
    const auto lsu = static_cast<std::size_t>(SmUnit::lsu_pipe);
    QueueDemand queue;
    queue.reads_per_ns =
        demand.units.sm[lsu] * capacities.sm[lsu] * clock / demand.warps_per_block() / kReadsAtOnce;
    const auto l1 = static_cast<std::size_t>(SmUnit::l1);
    if (demand.units.sm[lsu] > 0) {
        const auto of_read =
            demand.units.sm[l1] * capacities.sm[l1] / (demand.units.sm[lsu] * capacities.sm[lsu]);
        queue.cycles_of_reads = kReadsAtOnce * demand.warps_per_block() * of_read;
    }
    const auto traffic = l2_traffic(counters, capacities,
                                    model.device.memory_bandwidth_bytes_per_s.value_or(0) / 1e9);
    const auto bytes = are_scattered(counters) ? requests_per_ns(counters, capacities) * kL1Line
                                               : traffic.read + traffic.written;
    const auto bytes_of_sm = bytes / sms;
    queue.wanted_in_l1 = bytes_of_sm > 0 ? wanted_in_l1(counters, code, demand, traffic) : 0;
    if (queue.wanted_in_l1 > 0) {
        queue.ns_per_byte = capacities.queue_share_before / bytes_of_sm;
        queue.longest_ns = capacities.queue_instructions / instructions;
    }
    return queue;
}

double wait_in_queue(double wanted, double room, const QueueDemand& slowest) {
    return std::min(std::max(0.0, wanted - room) * slowest.ns_per_byte, slowest.longest_ns);
}

}  // namespace overcast
