#include "model/memory_queue.hpp"

#include "model/code_demand.hpp"
#include "model/l2_traffic.hpp"

#include <algorithm>

namespace overcast {
namespace {

constexpr auto kQueue = static_cast<std::size_t>(SmUnit::global_queue);
/// Of a warp. Assumes: between one (chains) and eight (unrolled loops).
constexpr double kReadsAtOnce = 6;
/// Of what its SM or the L2 can serve. Assumes: of fewer requests none waits for another.
constexpr double kFills = 0.9;
/// Instructions of a warp. Assumes: fewer are one load after the other.
constexpr double kSeveral = 2;

/// Bytes of lines that a block wants on their way at once.
double wanted_in_l1(const KernelCounters& counters, const KernelCode* code,
                    const KernelDemand& demand, const L2Traffic& traffic, double of_writes) {
    if (are_scattered(counters)) {
        const auto at_once = demand.units.lost_apart * demand.warps_per_block();
        return std::max(demand.units.sm[kQueue] * left_as_l1(demand.carve_out),
                        demand.units.lost_apart > 1 ? at_once * kL1Line : 0);
    }
    const auto moved = traffic.read + traffic.written;
    if (code == nullptr || code->memory_waits <= 0 || demand.units.held_in_l1 <= 0 || moved <= 0) {
        return 0;
    }
    const auto held = (traffic.read + of_writes * traffic.written) / moved;
    return held * code->global_bytes / code->memory_waits * demand.warps_per_block();
}

/// Of a block in the mean: a warp has sent some of those that it sends at once, and waits for the
/// last. Without its code known, as many as it has lines of the L1 where they fill the queue.
double requests_in_mean(const KernelCode* code, const KernelDemand& demand,
                        double per_instruction) {
    if (code == nullptr || code->memory_waits <= 0) {
        return demand.units.sm[kQueue] * left_as_l1(demand.carve_out) / kL1Line;
    }
    return demand.warps_per_block() * (loads_at_once(*code) + 1) / 2 * per_instruction;
}

/// What others wait for behind requests for a sector each. `instructions`: of an SM, per ns.
void add_requests(const KernelCounters& counters, const KernelCode* code,
                  const KernelDemand& demand, const DeviceModel& model, double instructions,
                  QueueDemand& queue) {
    const auto sms = counters[KernelCounter::sm_active].value_or(0) * multiprocessors(model.device);
    const auto& capacities = model.kernels.capacities;
    const auto blocks =
        counters[KernelCounter::warps_per_sm].value_or(0) / demand.warps_per_block();
    const auto used = blocks * std::max(demand.units.l2_path, demand.units.most_of_device() * sms);
    const bool wait = used > kFills || demand.units.sm[kQueue] > 0;
    if (!are_scattered(counters) || !wait) {
        return;
    }
    queue.requests_per_ns = requests_per_ns(counters, capacities) / sms;
    queue.requests = requests_in_mean(code, demand, queue.requests_per_ns / instructions);
    queue.several_at_once = code != nullptr && loads_at_once(*code) >= kSeveral;
    queue.late_elsewhere = std::clamp(used - 1, 0.0, capacities.l2_longest_wait);
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
    const auto traffic = l2_traffic(counters, capacities, dram_bytes_per_ns(model.device));
    const auto bytes = are_scattered(counters) ? requests_per_ns(counters, capacities) * kL1Line
                                               : traffic.read + traffic.written;
    const auto bytes_of_sm = bytes / sms;
    queue.wanted_in_l1 =
        bytes_of_sm > 0 ? wanted_in_l1(counters, code, demand, traffic, capacities.l2_path_written)
                        : 0;
    add_requests(counters, code, demand, model, instructions, queue);
    if (queue.wanted_in_l1 > 0 || queue.requests > 0) {
        queue.ns_per_byte = capacities.queue_share_before / bytes_of_sm;
        queue.longest_ns = capacities.queue_instructions / instructions;
    }
    return queue;
}

double wait_in_queue(double wanted, double room, const QueueDemand& slowest) {
    return std::min(std::max(0.0, wanted - room) * slowest.ns_per_byte, slowest.longest_ns);
}

}  // namespace overcast
