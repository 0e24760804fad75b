// Units whose queue prefers older blocks without leaving them all
// (docs/model.md#kernels-side-by-side).
#include "simulator/kernels/sm_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace overcast {
namespace {

constexpr double kScarcest = 0.99;  // of what a block asks of the unit that it needs most

/// Of the way to shared memory, what a block asks of it that reads there and needs no other unit
/// more; 0: it does something else.
double asked_by_reads(const KernelDemand& demand) {
    const auto& sm = demand.units.sm;
    const auto asked = std::max(sm[kL1Path], sm[kLsuPipe]);
    const bool reads = (demand.traits & (kUsesL1 | kLoads)) == kUsesL1;
    return reads && asked >= kScarcest * demand.load_per_block ? asked : 0;
}

}  // namespace

/// Of those that ask for some of a unit, the oldest first: their speeds, where they ask for more
/// than there is, are in proportion to exp(-order x) (queue_order()), none above that of a block
/// alone; what the oldest cannot take is for the others.
void SmSharing::share_by_age(std::vector<double>& speeds) const {
    double load = 0;
    for (const auto& each : by_age_) {
        load += each.asked;
    }
    if (load <= 1) {
        return;
    }
    double older = 0;
    double weights = 0;
    for (std::size_t i = 0; i < by_age_.size(); ++i) {
        const auto& [asked, order] = by_age_[i];
        if (asked > 0) {
            speeds[i] = std::exp(-order * (older + asked / 2) / load);
            weights += asked * speeds[i];
            older += asked;
        }
    }
    double left = 1;
    for (std::size_t i = 0; i < by_age_.size(); ++i) {
        if (const auto asked = by_age_[i].asked; asked > 0) {
            const auto weight = speeds[i];
            speeds[i] = std::clamp(weight * left / weights, kLeastSpeed, 1.0);
            left -= asked * speeds[i];
            weights -= asked * weight;
        }
    }
}

/// How fast the queue to global memory lets each set of blocks be.
void SmSharing::find_queue_speeds(const SmGroup& group) {
    queue_speeds_.assign(group.residents.size(), 1.0);
    by_age_.clear();
    double there = 0;
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        there += units.sm[kQueue] > 0 ? resident.per_sm / units.queue_blocks : 0;
    }
    for (const auto& resident : group.residents) {
        const auto& units = resident.demand->units;
        const auto order = units.order_while(std::min(there, 1.0));
        by_age_.push_back({resident.per_sm * units.sm[kQueue], order});
    }
    share_by_age(queue_speeds_);
}

/// How fast the queue to shared memory lets blocks be that fill it with others of their kernel: the
/// more warps of a scheduler read, the more those wait that are younger.
void SmSharing::find_reader_speeds(const SmGroup& group) {
    reader_speeds_.assign(group.residents.size(), 1.0);
    const auto& residents = group.residents;
    for (std::size_t first = 0; reads_by_age_ && first < residents.size(); ++first) {
        const auto& demand = *residents[first].demand;
        const auto asked = asked_by_reads(demand);
        const auto has_older = [&] {
            return std::any_of(
                residents.begin(), residents.begin() + std::ptrdiff_t(first),
                [&](const auto& older) { return older.kernel == residents[first].kernel; });
        };
        if (asked <= 0 || has_older()) {
            continue;  // seen with the oldest blocks of its kernel
        }
        const auto warps = warps_per_scheduler(demand, blocks_of_kernel(group, residents[first]));
        const auto order = reads_.order_per_warp * std::max(0.0, warps - reads_.warps_evenly);
        by_age_.assign(residents.size(), {});
        for (std::size_t i = first; i < residents.size(); ++i) {
            const bool own = residents[i].kernel == residents[first].kernel;
            by_age_[i] = {own ? residents[i].per_sm * asked : 0, order};
        }
        share_by_age(reader_speeds_);
    }
}

/// Where more is loaded at once than the L1 has lines for, older blocks get them first, as they get
/// a full queue's room (queue_order()): what waits is the share that finds no line. All together
/// get as much as before, and none more than alone.
void SmSharing::order_in_l1(SmGroup& group) const {
    double held = 0;
    for (const auto& resident : group.residents) {
        held += resident.per_sm * resident.demand->units.held_in_l1;
    }
    const auto order = queue_order(1 - left_as_l1(group.carve_out) / held, capacities_.queue_order);
    const auto in_order = [&](const auto& visit) {
        double older = 0;
        for (auto& resident : group.residents) {
            if (const auto asked = resident.per_sm * resident.demand->units.held_in_l1; asked > 0) {
                visit(resident, asked, std::exp(-order * (older + asked / 2) / held));
                older += asked;
            }
        }
    };
    double evenly = 0;
    double weighed = 0;
    in_order([&](const ResidentBlocks& blocks, double asked, double weight) {
        evenly += asked * blocks.speed_on_sm;
        weighed += asked * blocks.speed_on_sm * weight;
    });
    in_order([&](ResidentBlocks& blocks, double /*asked*/, double weight) {
        blocks.speed_on_sm = std::min(1.0, blocks.speed_on_sm * weight * evenly / weighed);
    });
}

}  // namespace overcast
