// What blocks of an SM wait for in its queue to memory, behind loads of others that find no line of
// the L1 (docs/model.md#kernels-side-by-side).
#include "model/memory_queue.hpp"
#include "model/kernel_concurrency.hpp"
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr auto kL2Requests = static_cast<std::size_t>(DeviceUnit::l2_requests);

bool fills_queue(const ResidentBlocks& blocks) {
    return blocks.demand->units.queue.wanted_in_l1 > 0;
}

bool reads_shared_memory(const ResidentBlocks& blocks) {
    return !fills_queue(blocks) && (blocks.demand->traits & kUsesL1) != 0;
}

/// How much longer than in the mean a load waits there for being younger than those whose requests
/// fill it, which goes by age (queue_order()).
double longer_by_age(const SmGroup& group, const ResidentBlocks& blocks) {
    double older = 0;
    double all = 0;
    double order = 0;
    for (const auto& other : group.residents) {
        const auto requests = other.per_sm * other.demand->units.queue.requests;
        older += &other < &blocks ? requests : 0;
        all += requests;
        order = std::max(order, other.demand->units.queue_order);
    }
    if (order <= 0) {
        return 1;
    }
    const auto mean = (1 - std::exp(-order)) / order;
    return std::max(1.0, mean * std::exp(order * older / all));
}

}  // namespace

/// For how long reads of shared memory wait behind loads of others, ns.
double SmSharing::wait_behind_lines(const SmGroup& group) const {
    double wanted = 0;
    double readers = 0;
    QueueDemand slowest;
    for (const auto& blocks : group.residents) {
        const auto& queue = blocks.demand->units.queue;
        wanted += blocks.per_sm * queue.wanted_in_l1;
        slowest.ns_per_byte = std::max(slowest.ns_per_byte, queue.ns_per_byte);
        slowest.longest_ns = std::max(slowest.longest_ns, queue.longest_ns);
        readers +=
            reads_shared_memory(blocks) ? warps_per_scheduler(*blocks.demand, blocks.per_sm) : 0;
    }
    const bool have_places = readers >= capacities_.queue_first_warps;
    const auto room = left_as_l1(group.carve_out) + capacities_.queue_spare_bytes;
    return have_places ? 0 : wait_in_queue(wanted, room, slowest);
}

/// For how long a load waits behind requests for a sector each, in latencies of the L2, beyond its
/// own way and for what it waits there: by Little's law for those that have a line of the L1, and
/// for as many instructions as stand in the queue.
double SmSharing::wait_behind_requests(const SmGroup& group) const {
    double requests = 0;
    const auto* fastest = &group.residents.front().demand->units.queue;
    for (const auto& blocks : group.residents) {
        const auto& queue = blocks.demand->units.queue;
        requests += blocks.per_sm * queue.requests;
        if (queue.requests_per_ns > fastest->requests_per_ns) {
            fastest = &queue;
        }
    }
    if (requests <= 0 || l2_latency_ns_ <= 0) {
        return 0;
    }
    const auto in_lines = left_as_l1(group.carve_out) / kL1Line / fastest->requests_per_ns;
    const auto in_queue = capacities_.queue_share_before * fastest->longest_ns;
    const auto wait = std::min(requests / fastest->requests_per_ns, in_lines + in_queue);
    return std::max(0.0, wait / l2_latency_ns_ - 1 - fastest->late_elsewhere);
}

/// How fast blocks are that find others' instructions there. Who sends these waits for room.
double SmSharing::speed_in_queue(const SmGroup& group, const ResidentBlocks& blocks) const {
    if (!in_queue_.any()) {
        return 1;
    }
    const auto& units = blocks.demand->units;
    const auto read = fills_queue(blocks) ? 0 : in_queue_.of_reads * units.queue.reads_per_ns;
    const auto waits = units.queue.requests > 0 ? 0 : in_queue_.of_loads * units.l2_waits;
    const auto loads = waits > 0 ? waits * longer_by_age(group, blocks) : 0;
    return 1 / (1 + std::max(read, loads));
}

void SmSharing::slow_in_queue(SmGroup& group) const {
    for (auto& resident : group.residents) {
        resident.speed_on_sm = std::min(resident.speed_on_sm, speed_in_queue(group, resident));
    }
}

/// What an SM sends for a sector each, several at once, is shared out by how many each kernel has
/// on its way, and is no more in all than a kernel that has the SM to itself asks for.
void SmSharing::share_requests(SmGroup& group) const {
    const auto sends = [](const ResidentBlocks& blocks) {
        return blocks.demand->units.queue.several_at_once;
    };
    const auto asked_by = [](const ResidentBlocks& blocks) {
        return blocks.per_sm * blocks.demand->units.device[kL2Requests];
    };
    double asked = 0;
    double on_way = 0;
    const ResidentBlocks* first = nullptr;
    bool others = false;
    for (auto& blocks : group.residents) {
        blocks.in_turn = false;
        if (sends(blocks)) {
            asked += asked_by(blocks);
            on_way += blocks.per_sm * blocks.demand->units.queue.requests;
            first = first == nullptr ? &blocks : first;
            others = others || blocks.kernel != first->kernel;
        }
    }
    if (!others) {
        return;
    }
    const auto shared = std::min(asked, most_requests_) / on_way;
    for (std::size_t i = 0; i < group.residents.size(); ++i) {
        auto& blocks = group.residents[i];
        if (sends(blocks)) {
            const auto part = shared * blocks.per_sm * blocks.demand->units.queue.requests;
            // What their queue alone would give is settled anew; what else holds them up holds.
            const bool by_queue =
                i < queue_speeds_.size() && blocks.speed_on_sm >= queue_speeds_[i];
            const auto most = by_queue ? 1.0 : blocks.speed_on_sm;
            blocks.speed_on_sm = std::min(most, part / asked_by(blocks));
            blocks.in_turn = true;
        }
    }
}

/// Loads stand behind reads of shared memory, younger or older, that the L1 cannot serve as fast as
/// they come: in the mean behind all that their warps have made at once.
void SmSharing::slow_behind_reads(SmGroup& group) const {
    if (shared_latency_ <= 0 || l2_latency_ns_ <= 0 || cycles_per_ns_ <= 0) {
        return;
    }
    double used = 0;
    double cycles = 0;
    for (const auto& blocks : group.residents) {
        if ((blocks.demand->traits & (kUsesL1 | kLoads)) == kUsesL1) {
            used += blocks.per_sm * blocks.demand->units.sm[kL1Path];
            cycles += blocks.per_sm * blocks.demand->units.queue.cycles_of_reads;
        }
    }
    const auto queued = contention(used) * std::max(0.0, cycles - shared_latency_);
    const auto wait = queued / cycles_per_ns_ / l2_latency_ns_;
    for (auto& blocks : group.residents) {
        if ((blocks.demand->traits & kLoads) != 0) {
            const auto late = 1 + blocks.demand->units.l2_waits * wait;
            blocks.speed_on_sm = std::min(blocks.speed_on_sm, 1 / late);
        }
    }
}

/// What loads bring takes the L1's data path before reads of shared memory do, younger or older.
void SmSharing::slow_by_returns(SmGroup& group) const {
    if (!loads_return_) {
        return;
    }
    double taken = 0;
    for (const auto& blocks : group.residents) {
        const bool loads = (blocks.demand->traits & kLoads) != 0;
        const auto l1 = blocks.demand->units.sm[kL1Path];
        taken += loads ? blocks.per_sm * l1 * speed_of_use(blocks) : 0;
    }
    for (auto& blocks : group.residents) {
        if ((blocks.demand->traits & (kUsesL1 | kLoads)) == kUsesL1) {
            blocks.speed_on_sm *= std::max(1 - taken, kLeastSpeed);
        }
    }
}

}  // namespace overcast
