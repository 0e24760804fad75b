#include "simulator/sm_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace overcast {
namespace {

/// Of a kernel's blocks on an SM: more sets would be finer than what is known of their order.
constexpr std::uint32_t kMostSets = 8;
/// More groups than this are merged where they differ least, so that cost stays flat.
constexpr std::size_t kMostGroups = 24;

void take(SmResources& have, const SmResources& need, std::uint32_t times) {
    have.threads -= need.threads * times;
    have.blocks -= need.blocks * times;
    have.registers -= need.registers * times;
    have.shared_memory -= need.shared_memory * times;
}

void give(SmResources& have, const SmResources& back, std::uint32_t times) {
    have.threads += back.threads * times;
    have.blocks += back.blocks * times;
    have.registers += back.registers * times;
    have.shared_memory += back.shared_memory * times;
}

bool holds(const SmResources& have, const SmResources& need) {
    return have.threads >= need.threads && have.blocks >= need.blocks &&
           have.registers >= need.registers && have.shared_memory >= need.shared_memory;
}

/// Residents that are about to leave are gone.
void release(SmGroup& group) {
    for (const auto& blocks : group.residents) {
        if (blocks.ending) {
            give(group.free, blocks.demand->per_block, blocks.per_sm);
        }
    }
    std::erase_if(group.residents, [](const auto& blocks) { return blocks.ending; });
    if (group.residents.empty()) {
        group.carve_out = 0;
    }
}

/// Blocks that an SM serves alike: those that together have a warp for each of its schedulers.
std::uint32_t set_size(const KernelDemand& demand) {
    constexpr std::uint32_t kThreads = 4 * 32;
    return std::max((kThreads + demand.per_block.threads - 1) / demand.per_block.threads,
                    (demand.blocks_per_sm + kMostSets - 1) / kMostSets);
}

bool is_ending(const ResidentBlocks& resident) { return resident.ending; }

/// The same for groups that hold the same blocks; for others hardly ever.
std::uint64_t mark_of(const SmGroup& group) {
    constexpr std::uint64_t kPrime = 0x100000001b3;  // FNV-1a
    std::uint64_t mark = 0xcbf29ce484222325;
    const auto mix = [&](std::uint64_t value) { mark = (mark ^ value) * kPrime; };
    mix(group.free.threads);
    mix(group.carve_out);
    for (const auto& resident : group.residents) {
        mix(resident.kernel);
        mix(resident.per_sm);
    }
    return mark;
}

/// How far apart the ends of two groups are that hold the same blocks; negative if they do not.
double difference(const SmGroup& one, const SmGroup& other) {
    if (one.residents.size() != other.residents.size() || one.carve_out != other.carve_out ||
        !(one.free == other.free)) {
        return -1;
    }
    double most = 0;
    for (std::size_t i = 0; i < one.residents.size(); ++i) {
        const auto& left = one.residents[i];
        const auto& right = other.residents[i];
        if (left.kernel != right.kernel || left.per_sm != right.per_sm) {
            return -1;
        }
        most = std::max(most, std::abs(left.left - right.left));
    }
    return most;
}

void merge(SmGroup& kept, const SmGroup& gone) {
    const auto share = static_cast<double>(gone.sms) / static_cast<double>(kept.sms + gone.sms);
    for (std::size_t i = 0; i < kept.residents.size(); ++i) {
        kept.residents[i].left += share * (gone.residents[i].left - kept.residents[i].left);
    }
    kept.sms += gone.sms;
    kept.first = std::min(kept.first, gone.first);
}

}  // namespace

SmArray::SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out,
                 bool staggers)
    : limits_{limits}, keeps_carve_out_{keeps_carve_out}, staggers_{staggers} {
    groups_.push_back({multiprocessors, 0, limits, 0, {}});
}

bool SmArray::empty() const {
    return std::ranges::all_of(groups_, [](const auto& group) { return group.residents.empty(); });
}

/// Blocks that an SM of the group takes.
std::uint32_t SmArray::room(const SmGroup& group, const KernelDemand& demand) const {
    const auto fit = blocks_that_fit(demand.per_block, group.free);
    if (!keeps_carve_out_ || group.residents.empty() || group.carve_out == 0) {
        return fit;
    }
    const auto needed = demand.needs_carve_out ? demand.carve_out
                                               : std::min(demand.carve_out, demand.least_carve_out);
    return needed > group.carve_out ? 0 : fit;
}

/// `per_sm` more blocks on each SM of a group. Where they hold each other up they become sets of
/// their own, up to kMostSets of a kernel.
void SmArray::add(SmGroup& group, const KernelDemand& demand, std::uint32_t per_sm,
                  std::uint32_t kernel, double block_time, std::uint64_t age) const {
    if (per_sm == 0) {
        return;
    }
    if (group.residents.empty()) {
        group.carve_out = std::max(group.carve_out, demand.carve_out);
    }
    take(group.free, demand.per_block, per_sm);
    std::uint32_t sets = 0;
    std::uint32_t together = per_sm;
    ResidentBlocks* youngest = nullptr;
    for (auto& resident : group.residents) {
        if (resident.kernel == kernel) {
            ++sets;
            together += resident.per_sm;
            youngest = resident.left == block_time ? &resident : youngest;
        }
    }
    const bool in_turn = staggers_ && demand.load_per_block * together > 1;
    const auto set = in_turn ? set_size(demand) : per_sm;
    if (youngest != nullptr) {
        const auto more = !in_turn || sets >= kMostSets
                              ? per_sm
                              : std::min(per_sm, set - std::min(set, youngest->per_sm));
        youngest->per_sm += more;
        per_sm -= more;
    }
    for (; per_sm > 0; ++sets) {
        const auto of_set = sets + 1 >= kMostSets ? per_sm : std::min(per_sm, set);
        group.residents.push_back({kernel, &demand, of_set, block_time, 1, age, false});
        per_sm -= of_set;
    }
}

std::uint64_t SmArray::place(const KernelDemand& demand, std::uint64_t blocks, std::uint32_t kernel,
                             double block_time) {
    const auto age = next_age();
    std::uint64_t placed = 0;
    while (placed < blocks) {
        // The group with the most free threads that has room, and the free threads of the next one:
        // the first takes blocks, one per SM in turn, until it is no roomier than the second.
        SmGroup* most = nullptr;
        std::uint32_t next_free = 0;
        for (auto& group : groups_) {
            if (!holds(group.free, demand.per_block) || room(group, demand) == 0) {
                continue;
            }
            if (most == nullptr || group.free.threads > most->free.threads ||
                (group.free.threads == most->free.threads && group.first < most->first)) {
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
            add(*most, demand, full_rounds, kernel, block_time, age);
            placed += std::uint64_t{full_rounds} * most->sms;
            continue;
        }
        // Fewer blocks than SMs: one more block on some of them, which become a group of their own.
        SmGroup part = *most;
        part.sms = static_cast<std::uint32_t>(left);
        most->sms -= part.sms;
        most->first += part.sms;
        add(part, demand, 1, kernel, block_time, age);
        groups_.push_back(std::move(part));
        placed = blocks;
    }
    return placed;
}

void SmArray::release_ending() {
    for (auto& group : groups_) {
        release(group);
    }
    merge_equal_groups();
}

void SmArray::begin_endings() {
    for (auto& group : groups_) {
        if (std::ranges::any_of(group.residents, is_ending)) {
            endings_.push_back(std::exchange(group, SmGroup{}));
        }
    }
    std::erase_if(groups_, [](const SmGroup& group) { return group.sms == 0; });
}

std::uint64_t SmArray::place_as_they_end(const KernelDemand& demand, std::uint64_t blocks,
                                         std::uint32_t kernel, double block_time) {
    const auto age = next_age();
    auto left = blocks;
    while (left > 0 && !endings_.empty()) {
        // One SM after the other becomes free, and at once takes what then fits.
        auto group = std::move(endings_.front());
        endings_.erase(endings_.begin());
        auto later = group;
        release(group);
        // What has waited for the SM finds it as it was left, if that is enough.
        group.carve_out = later.carve_out;
        const auto fits = room(group, demand);
        const auto put = [&](std::uint32_t on, std::uint32_t per_sm) {
            if (on > 0) {
                auto part = group;
                part.sms = on;
                add(part, demand, per_sm, kernel, block_time, age);
                groups_.push_back(std::move(part));
                left -= std::uint64_t{on} * per_sm;
            }
        };
        if (std::uint64_t{fits} * group.sms <= left) {
            put(group.sms, fits);
            continue;
        }
        const auto full = static_cast<std::uint32_t>(left / fits);
        const auto rest = static_cast<std::uint32_t>(left % fits);
        later.sms -= full + (rest > 0 ? 1 : 0);
        put(full, fits);
        put(rest > 0 ? 1 : 0, rest);
        if (later.sms > 0) {
            endings_.insert(endings_.begin(), std::move(later));
        }
    }
    return blocks - left;
}

void SmArray::finish_endings() {
    for (auto& group : endings_) {
        release(group);
        groups_.push_back(std::move(group));
    }
    endings_.clear();
    merge_equal_groups();
}

/// Groups can only be merged where another one holds the same blocks, which their marks tell
/// without looking at both.
void SmArray::merge_equal_groups() {
    marks_.clear();
    for (const auto& group : groups_) {
        marks_.push_back(mark_of(group));
    }
    sorted_marks_ = marks_;
    std::ranges::sort(sorted_marks_);
    if (std::ranges::adjacent_find(sorted_marks_) == sorted_marks_.end()) {
        return;
    }
    for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
        for (std::size_t j = groups_.size() - 1; j > i; --j) {
            const auto apart = apart_by(i, j);
            if (apart >= 0 && apart < kSameTimeNs) {
                merge_into(i, j);
            }
        }
    }
    while (groups_.size() > kMostGroups) {
        std::array<std::size_t, 2> closest{};
        double least = -1;
        for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
            for (auto j = i + 1; j < groups_.size(); ++j) {
                const auto apart = apart_by(i, j);
                if (apart >= 0 && (least < 0 || apart < least)) {
                    least = apart;
                    closest = {i, j};
                }
            }
        }
        if (least < 0) {
            return;
        }
        merge_into(closest[0], closest[1]);
    }
}

double SmArray::apart_by(std::size_t one, std::size_t other) const {
    return marks_[one] == marks_[other] ? difference(groups_[one], groups_[other]) : -1;
}

void SmArray::merge_into(std::size_t kept, std::size_t gone) {
    merge(groups_[kept], groups_[gone]);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(gone));
    marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(gone));
}

}  // namespace overcast
