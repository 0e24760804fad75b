// Kernels whose blocks start in clusters, and those that wait behind them.
#include "simulator/kernels/kernel_executor.hpp"
#include "simulator/kernels/sm_array.hpp"

#include <algorithm>

namespace overcast {

/// SMs that hold blocks of kernels which have passed one whose clusters cannot use these.
std::uint32_t SmArray::held_beside_clusters() const {
    std::uint32_t held = 0;
    for (const auto& group : groups_) {
        const bool some = std::ranges::any_of(
            group.residents, [](const auto& blocks) { return blocks.beside_clusters; });
        held += some ? group.sms : 0;
    }
    return held;
}

/// How many of the blocks are in clusters that find room for all of theirs. On an empty device one
/// does, whatever is known of it. Assumes: of the SMs that clusters cannot use, those that are not
/// held beside them are among those that have room.
std::uint64_t SmArray::in_whole_clusters(const KernelDemand& demand, std::uint64_t blocks) const {
    std::uint64_t slots = 0;
    for (const auto& group : groups_) {
        slots += std::uint64_t{group.sms} * room(group, demand);
    }
    const auto held = std::uint64_t{held_beside_clusters()} * demand.blocks_per_sm;
    const auto lost =
        demand.lost_to_clusters - std::min<std::uint64_t>(demand.lost_to_clusters, held);
    const auto useful = slots - std::min<std::uint64_t>(slots, lost);
    const auto clusters = useful / demand.cluster;
    return clusters == 0 && empty() ? blocks : std::min(blocks, clusters * demand.cluster);
}

/// The place of a group of so many SMs of that one, itself if it has no more.
std::size_t SmArray::split_off(std::size_t index, std::uint32_t sms) {
    if (sms >= groups_[index].sms) {
        return index;
    }
    auto& part = append(groups_[index]);
    part.sms = sms;
    part.mark = 0;
    groups_[index].sms -= sms;
    groups_[index].first += sms;
    candidates_.changed(static_cast<std::uint32_t>(index));
    return place_of(part);
}

std::uint64_t SmArray::place_beside_clusters(const KernelDemand& demand, std::uint64_t blocks,
                                             std::uint32_t of_no_clusters, std::uint32_t kernel,
                                             double block_time) {
    auto sms = of_no_clusters - std::min(of_no_clusters, held_beside_clusters());
    std::uint64_t placed = 0;
    while (sms > 0 && placed < blocks) {
        const auto& tree = candidates_for(demand).tree;
        if (tree.empty()) {
            break;
        }
        const auto left = blocks - placed;
        const auto per_sm =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(tree.best_room(), left));
        const auto full = static_cast<std::uint32_t>(std::min<std::uint64_t>(sms, left / per_sm));
        auto& group = groups_[split_off(tree.best(), full)];
        add(group, demand, per_sm, kernel, block_time);
        for (auto& resident : group.residents) {
            resident.beside_clusters = resident.beside_clusters || resident.kernel == kernel;
        }
        placed += std::uint64_t{per_sm} * group.sms;
        sms -= group.sms;
    }
    return placed;
}

/// Whether the first of those that wait is of clusters of more than two blocks. Kernels behind it
/// may start, in their order, on the SMs that no such clusters can use.
bool KernelExecutor::first_lets_pass() const {
    return fill_tails_ && sms_beside_clusters_ > 0 && !waiting_.empty() &&
           (*demands_)[running_[waiting_.front()].demand].cluster > 1;
}

/// Its last blocks have taken the places of its own.
void KernelExecutor::drop_who_has_passed() {
    while (waiting_.size() > kBehindFirst && running_[waiting_[kBehindFirst]].unplaced == 0) {
        all_are_placed(running_[waiting_[kBehindFirst]], kBehindFirst);
    }
}

void KernelExecutor::place_beside_clusters(TimelineTime now) {
    while (waiting_.size() > kBehindFirst && running_.in_use.size() < resident_limit_) {
        const auto slot = waiting_[kBehindFirst];
        auto& kernel = running_[slot];
        const auto& demand = (*demands_)[kernel.demand];
        if (kernel.started || demand.cluster > 1) {
            return;
        }
        const auto placed = sms_.place_beside_clusters(
            demand, kernel.unplaced, sms_beside_clusters_, slot, kernel.block_time);
        if (placed == 0) {
            return;
        }
        start(now, slot);
        kernel.take_room(placed);
        load_grew_ = true;
        if (kernel.unplaced > 0) {
            return;
        }
        all_are_placed(kernel, kBehindFirst);
    }
}

}  // namespace overcast
