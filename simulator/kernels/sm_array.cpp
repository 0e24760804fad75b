#include "simulator/kernels/sm_array.hpp"

#include <algorithm>
#include <utility>

namespace overcast {
namespace {

/// Of a kernel's blocks on an SM: more sets would be finer than what is known of their order.
constexpr std::uint32_t kMostSets = 8;

/// Of blocks of one kernel; those of others, or more of them, hardly ever have the same.
std::uint64_t mark_of(const ResidentBlocks& blocks) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    const auto value = (std::uint64_t{blocks.kernel} << 32 | blocks.per_sm) * kOdd;
    return (value ^ value >> 32) * kOdd;
}

/// Residents for which `leaves` holds are gone. Returns where the first of them stood.
template <typename Leaves>
std::size_t release_where(SmGroup& group, const Leaves& leaves) {
    auto& residents = group.residents;
    auto first = residents.end();
    auto kept = residents.begin();
    for (auto next = residents.begin(); next != residents.end(); ++next) {
        if (leaves(*next)) {
            group.content -= mark_of(*next);
            group.free.give(next->demand->per_block, next->per_sm);
            first = std::min(first, next);
        } else {
            if (kept != next) {
                *kept = *next;
            }
            ++kept;
        }
    }
    const auto place = first - residents.begin();
    residents.erase(kept, residents.end());
    if (residents.empty()) {
        group.carve_out = 0;
        group.one_set_each = true;
    }
    return static_cast<std::size_t>(place);
}

/// Blocks that an SM serves alike: those that together have a warp for each of its schedulers.
std::uint32_t set_size(const KernelDemand& demand) {
    constexpr std::uint32_t kThreads = 4 * 32;
    return std::max((kThreads + demand.per_block.threads - 1) / demand.per_block.threads,
                    (demand.blocks_per_sm + kMostSets - 1) / kMostSets);
}

}  // namespace

SmArray::SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out,
                 bool staggers, double open_at_once)
    : limits_{limits},
      multiprocessors_{multiprocessors},
      keeps_carve_out_{keeps_carve_out},
      staggers_{staggers},
      open_at_once_{open_at_once} {
    auto& all = groups_.emplace_back();
    all.sms = multiprocessors;
    all.free = limits;
    mark_changed(all);
}

bool SmArray::empty() const {
    return std::ranges::all_of(groups_, [](const auto& group) { return group.residents.empty(); });
}

/// Blocks that an SM takes of which so much is free. `carve_out`: 0 if it is empty.
std::uint32_t SmArray::room(const SmResources& free, std::uint32_t carve_out,
                            const KernelDemand& demand) const {
    if (!free.holds(demand.per_block)) {
        return 0;
    }
    if (keeps_carve_out_ && carve_out > 0) {
        const auto needed = demand.needs_carve_out
                                ? demand.carve_out
                                : std::min(demand.carve_out, demand.least_carve_out);
        if (needed > carve_out) {
            return 0;
        }
    }
    return blocks_that_fit(demand.per_block, free);
}

/// Blocks that an SM of the group takes.
std::uint32_t SmArray::room(const SmGroup& group, const KernelDemand& demand) const {
    return room(group.free, group.residents.empty() ? 0 : group.carve_out, demand);
}

/// `per_sm` more blocks on each SM of a group. Where they hold each other up they become sets of
/// their own, up to kMostSets of a kernel.
void SmArray::add(SmGroup& group, const KernelDemand& demand, std::uint32_t per_sm,
                  std::uint32_t kernel, double block_time) {
    if (per_sm == 0) {
        return;
    }
    if (group.residents.empty()) {
        group.carve_out = std::max(group.carve_out, demand.carve_out);
    }
    group.free.take(demand.per_block, per_sm);
    auto from = group.residents.size();
    std::uint32_t sets = 0;
    std::uint32_t together = per_sm;
    ResidentBlocks* youngest = nullptr;
    for (auto& resident : group.residents) {
        if (resident.kernel == kernel) {
            ++sets;
            together += resident.per_sm;
            youngest = resident.progress.left(now_) == block_time ? &resident : youngest;
        }
    }
    const bool in_turn =
        staggers_ && (demand.load_per_block * together > 1 ||
                      demand.units.held_in_l1 * together > left_as_l1(group.carve_out));
    const auto set = in_turn ? set_size(demand) : per_sm;
    if (youngest != nullptr) {
        const auto more =
            !in_turn || sets >= kMostSets
                ? per_sm
                : std::min(per_sm, set - std::min(set, std::uint32_t{youngest->per_sm}));
        from = static_cast<std::size_t>(youngest - group.residents.data());
        group.content -= mark_of(*youngest);
        youngest->per_sm = static_cast<std::uint16_t>(youngest->per_sm + more);
        group.content += mark_of(*youngest);
        per_sm -= more;
    }
    for (; per_sm > 0; ++sets) {
        const auto of_set = sets + 1 >= kMostSets ? per_sm : std::min(per_sm, set);
        group.residents.push_back({.kernel = kernel,
                                   .per_sm = static_cast<std::uint16_t>(of_set),
                                   .demand = &demand,
                                   .progress = BlockProgress{block_time, now_}});
        group.content += mark_of(group.residents.back());
        per_sm -= of_set;
    }
    group.one_set_each = group.one_set_each && sets <= 1;
    mark_changed(group, from);
}

/// Its blocks on an SM of the group become as many sets as there may be.
void SmArray::split_sets(SmGroup& group, std::uint32_t kernel) {
    const auto of_kernel = [kernel](const auto& blocks) { return blocks.kernel == kernel; };
    const auto size = [&](const auto& blocks) { return of_kernel(blocks) ? blocks.per_sm : 0; };
    auto sets = std::ranges::count_if(group.residents, of_kernel);
    for (; sets < kMostSets; ++sets) {
        const auto largest = std::ranges::max_element(group.residents, {}, size);
        if (size(*largest) <= 1) {
            break;
        }
        group.content -= mark_of(*largest);
        auto half = *largest;
        half.per_sm /= 2;
        largest->per_sm = static_cast<std::uint16_t>(largest->per_sm - half.per_sm);
        group.content += mark_of(*largest) + mark_of(half);
        group.residents.insert(std::next(largest), half);
    }
    group.one_set_each = group.one_set_each && sets <= 1;
}

CandidateTrees::Kept& SmArray::candidates_for(const KernelDemand& demand) {
    return candidates_.of(demand, groups_.size(), [&](std::uint32_t group) {
        return std::pair{room(groups_[group], demand), groups_[group].first};
    });
}

/// The last blocks, where more SMs than these have the most room, in several groups of which some
/// are scattered: each group gets its share, a block on so many of its SMs. Returns whether they
/// are placed so.
bool SmArray::place_by_chance(CandidateTrees::Kept& candidates, const KernelDemand& demand,
                              std::uint64_t blocks, std::uint32_t kernel, double block_time) {
    if (!some_scattered_ || candidates.tree.second_room() < candidates.tree.best_room()) {
        return false;
    }
    tied_.clear();
    std::uint64_t all = 0;
    bool scattered = false;
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
        if (room(groups_[i], demand) == candidates.tree.best_room()) {
            tied_.push_back(i);
            all += groups_[i].sms;
            scattered = scattered || groups_[i].scattered;
        }
    }
    if (!scattered || blocks >= all) {
        return false;
    }
    candidates_.is_current(candidates);
    std::uint64_t sms = 0;
    std::uint64_t placed = 0;
    for (const auto index : tied_) {
        sms += groups_[index].sms;
        const auto until = (blocks * sms + all / 2) / all;
        if (until > placed) {
            const auto some = split_off(index, static_cast<std::uint32_t>(until - placed));
            add(groups_[some], demand, 1, kernel, block_time);
        }
        placed = until;
    }
    return true;
}

std::uint64_t SmArray::place(const KernelDemand& demand, std::uint64_t blocks, std::uint32_t kernel,
                             double block_time, bool as_they_end) {
    std::uint64_t placed = 0;
    if (demand.cluster > 1) {
        blocks = in_whole_clusters(demand, blocks);
    }
    auto& candidates = candidates_for(demand);
    auto& tree = candidates.tree;
    auto last = groups_.size();
    while (placed < blocks && !tree.empty()) {
        // The group whose SMs take the most blocks of this kernel gets blocks, one per SM in turn:
        // once, and if it still takes the most, until it takes no more than the next one.
        const auto index = tree.best();
        auto& most = groups_[index];
        const auto rounds =
            index == last ? std::max(1U, tree.best_room() - tree.second_room()) : 1U;
        last = index;
        const auto left = blocks - placed;
        if (place_by_chance(candidates, demand, left, kernel, block_time)) {
            return blocks;
        }
        const auto full_rounds =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(rounds, left / most.sms));
        if (full_rounds == 0) {
            candidates_.is_current(candidates);
            const auto some = split_off(index, static_cast<std::uint32_t>(left));
            groups_[index].scattered = groups_[index].scattered || as_they_end;
            groups_[some].scattered = groups_[index].scattered;
            some_scattered_ = some_scattered_ || as_they_end;
            add(groups_[some], demand, 1, kernel, block_time);
            return blocks;
        }
        add(most, demand, full_rounds, kernel, block_time);
        placed += std::uint64_t{full_rounds} * most.sms;
        tree.set(index, room(most, demand), most.first);
    }
    candidates_.is_current(candidates);
    return placed;
}

SmGroup& SmArray::append(SmGroup group) {
    group.changed = false;
    group.unmarked = false;
    return groups_.emplace_back(std::move(group));
}

/// Groups without SMs are gone; the others have other places.
void SmArray::erase_empty() {
    std::erase_if(groups_, [](const SmGroup& group) { return group.sms == 0; });
    changed_.clear();
    unmarked_.clear();
    candidates_.renumbered();
    ends_.reset(groups_.size(), [&](std::size_t place) { return groups_[place].next; });
    for (std::uint32_t place = 0; place < groups_.size(); ++place) {
        const auto& group = groups_[place];
        if (group.changed) {
            changed_.push_back(place);
        }
        if (group.unmarked) {
            unmarked_.push_back(place);
        }
    }
}

void SmArray::clear_changed() {
    for (const auto place : changed_) {
        groups_[place].changed = false;
    }
    changed_.clear();
}

void SmArray::mark_ending(SmGroup& group, ResidentBlocks& blocks) {
    blocks.ending = true;
    if (!group.ending) {
        group.ending = true;
        ending_.push_back(place_of(group));
    }
}

/// Those that are about to leave are gone. Returns where the first of them stood.
std::size_t SmArray::release(SmGroup& group) {
    group.ending = false;
    return release_where(group, [](const ResidentBlocks& blocks) { return blocks.ending; });
}

void SmArray::release_ending() {
    for (const auto place : ending_) {
        auto& group = groups_[place];
        mark_changed(group, release(group));
    }
    ending_.clear();
    merge_equal_groups();
}

const std::vector<SmArray::Ended>& SmArray::release_ended() {
    ended_.clear();
    ends_.visit_until(now_, [&](std::size_t place) {
        auto& group = groups_[place];
        const auto from = release_where(group, [&](const ResidentBlocks& blocks) {
            const bool ends = blocks.progress.end() <= now_;
            if (ends) {
                ended_.push_back({blocks.kernel, std::uint64_t{blocks.per_sm} * group.sms});
            }
            return ends;
        });
        mark_changed(group, from);
    });
    merge_equal_groups();
    return ended_;
}

}  // namespace overcast
