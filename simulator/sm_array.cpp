#include "simulator/sm_array.hpp"

#include <algorithm>
#include <utility>

namespace overcast {
namespace {

SmResources minus(const SmResources& have, const SmResources& need, std::uint32_t times) {
    return {have.threads - need.threads * times, have.blocks - need.blocks * times,
            have.registers - need.registers * times,
            have.shared_memory - need.shared_memory * times};
}

SmResources plus(const SmResources& have, const SmResources& need, std::uint32_t times) {
    return {have.threads + need.threads * times, have.blocks + need.blocks * times,
            have.registers + need.registers * times,
            have.shared_memory + need.shared_memory * times};
}

}  // namespace

SmArray::SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out)
    : keeps_carve_out_{keeps_carve_out} {
    groups_.push_back({multiprocessors, limits, 0, {}});
}

/// Blocks that an SM of the group takes.
std::uint32_t SmArray::room(const Group& group, const KernelDemand& demand) const {
    const bool too_small = keeps_carve_out_ && !group.residents.empty() && group.carve_out > 0 &&
                           demand.carve_out > group.carve_out;
    return too_small ? 0 : blocks_that_fit(demand.per_block, group.free);
}

void SmArray::add(Group& group, const KernelDemand& demand, std::uint32_t per_sm, Cohort cohort) {
    if (group.residents.empty()) {
        group.carve_out = demand.carve_out;
    }
    group.free = minus(group.free, demand.per_block, per_sm);
    resident_blocks_ += std::uint64_t{per_sm} * group.sms;
    for (auto& resident : group.residents) {
        if (resident.cohort == cohort) {
            resident.per_sm += per_sm;
            return;
        }
    }
    group.residents.push_back({cohort, per_sm});
}

std::uint64_t SmArray::place(const KernelDemand& demand, std::uint64_t blocks, Cohort cohort) {
    std::uint64_t placed = 0;
    while (placed < blocks) {
        // The group with the most free threads that has room, and the free threads of the next one:
        // the first takes blocks, one per SM in turn, until it is no roomier than the second.
        Group* most = nullptr;
        std::uint32_t next_free = 0;
        for (auto& group : groups_) {
            if (room(group, demand) == 0) {
                continue;
            }
            if (most == nullptr || group.free.threads > most->free.threads) {
                next_free = most == nullptr ? 0 : most->free.threads;
                most = &group;
            } else {
                next_free = std::max(next_free, group.free.threads);
            }
        }
        if (most == nullptr) {
            break;
        }
        const auto left = blocks - placed;
        const auto lead = most->free.threads - next_free;
        const auto until_level =
            next_free == 0
                ? std::uint32_t{UINT32_MAX}
                : std::max(1U, (lead + demand.per_block.threads - 1) / demand.per_block.threads);
        const auto rounds = std::min(room(*most, demand), until_level);
        const auto full_rounds =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(rounds, left / most->sms));
        if (full_rounds > 0) {
            add(*most, demand, full_rounds, cohort);
            placed += std::uint64_t{full_rounds} * most->sms;
            continue;
        }
        // Fewer blocks than SMs: one more block on some of them, which become a group of their own.
        Group part = *most;
        part.sms = static_cast<std::uint32_t>(left);
        most->sms -= part.sms;
        add(part, demand, 1, cohort);
        groups_.push_back(std::move(part));
        placed = blocks;
    }
    return placed;
}

void SmArray::release(const KernelDemand& demand, Cohort cohort) {
    for (auto& group : groups_) {
        const auto resident =
            std::find_if(group.residents.begin(), group.residents.end(),
                         [&](const Resident& each) { return each.cohort == cohort; });
        if (resident == group.residents.end()) {
            continue;
        }
        group.free = plus(group.free, demand.per_block, resident->per_sm);
        resident_blocks_ -= std::uint64_t{resident->per_sm} * group.sms;
        group.residents.erase(resident);
        if (group.residents.empty()) {
            group.carve_out = 0;
        }
    }
    merge_equal_groups();
}

void SmArray::rename(Cohort from, Cohort to) {
    for (auto& group : groups_) {
        const auto find = [&](Cohort cohort) {
            return std::find_if(group.residents.begin(), group.residents.end(),
                                [&](const Resident& each) { return each.cohort == cohort; });
        };
        const auto old = find(from);
        if (old == group.residents.end()) {
            continue;
        }
        const auto per_sm = old->per_sm;
        if (const auto known = find(to); known != group.residents.end()) {
            known->per_sm += per_sm;
            group.residents.erase(find(from));
        } else {
            old->cohort = to;
        }
    }
    merge_equal_groups();
}

void SmArray::merge_equal_groups() {
    for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
        for (std::size_t j = groups_.size() - 1; j > i; --j) {
            if (groups_[i].free == groups_[j].free &&
                groups_[i].carve_out == groups_[j].carve_out &&
                groups_[i].residents == groups_[j].residents) {
                groups_[i].sms += groups_[j].sms;
                groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(j));
            }
        }
    }
}

}  // namespace overcast
