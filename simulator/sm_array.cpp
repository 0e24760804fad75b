#include "simulator/sm_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace overcast {
namespace {

/// Of an SM's ending blocks: more steps would be finer than what is known of their order.
constexpr std::uint32_t kMostSteps = 8;
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

void add(SmGroup& group, const KernelDemand& demand, std::uint32_t per_sm, std::uint32_t kernel,
         double block_time, std::uint64_t age) {
    if (per_sm == 0) {
        return;
    }
    if (group.residents.empty()) {
        group.carve_out = demand.carve_out;
    }
    take(group.free, demand.per_block, per_sm);
    for (auto& resident : group.residents) {
        if (resident.kernel == kernel && resident.left == block_time) {
            resident.per_sm += per_sm;
            return;
        }
    }
    group.residents.push_back({kernel, &demand, per_sm, block_time, 1, age, false});
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
}

/// In how many steps the blocks of a kernel leave an SM. Blocks that hold each other up are served
/// oldest first (39), and so end one after the other; others end together.
std::uint32_t ending_steps(const ResidentBlocks& blocks) {
    const auto load = std::round(blocks.demand->load_per_block * blocks.per_sm);
    return std::clamp(static_cast<std::uint32_t>(load), 1U, std::min(blocks.per_sm, kMostSteps));
}

}  // namespace

SmArray::SmArray(std::uint32_t multiprocessors, const SmResources& limits, bool keeps_carve_out)
    : limits_{limits}, keeps_carve_out_{keeps_carve_out} {
    groups_.push_back({multiprocessors, limits, 0, {}});
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
    return demand.needs_carve_out && demand.carve_out > group.carve_out ? 0 : fit;
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
            add(*most, demand, full_rounds, kernel, block_time, age);
            placed += std::uint64_t{full_rounds} * most->sms;
            continue;
        }
        // Fewer blocks than SMs: one more block on some of them, which become a group of their own.
        SmGroup part = *most;
        part.sms = static_cast<std::uint32_t>(left);
        most->sms -= part.sms;
        add(part, demand, 1, kernel, block_time, age);
        groups_.push_back(std::move(part));
        placed = blocks;
    }
    return placed;
}

void SmArray::release_ending() {
    for (auto& group : groups_) {
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
    merge_equal_groups();
}

void SmArray::begin_endings() {
    const auto is_ending = [](const ResidentBlocks& resident) { return resident.ending; };
    for (std::size_t i = 0; i < groups_.size();) {
        auto& group = groups_[i];
        if (std::ranges::none_of(group.residents, is_ending)) {
            ++i;
            continue;
        }
        EndingGroup ending;
        for (const auto& resident : group.residents) {
            if (resident.ending) {
                ending.endings.push_back(resident);
                ending.steps = std::max(ending.steps, ending_steps(resident));
            }
        }
        ending.group = std::move(group);
        endings_.push_back(std::move(ending));
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

/// The SMs of `ending` when `done` steps are over.
SmGroup SmArray::after(const EndingGroup& ending, std::uint32_t done) const {
    SmGroup group = ending.group;
    for (const auto& blocks : ending.endings) {
        const auto gone = blocks.per_sm * done / ending.steps;
        const auto were_gone = blocks.per_sm * ending.done / ending.steps;
        give(group.free, blocks.demand->per_block, gone - were_gone);
        if (done == ending.steps) {
            std::erase_if(group.residents, [&](const ResidentBlocks& resident) {
                return resident.ending && resident.kernel == blocks.kernel;
            });
        } else {
            for (auto& resident : group.residents) {
                if (resident.ending && resident.kernel == blocks.kernel) {
                    resident.per_sm = blocks.per_sm - gone;
                }
            }
        }
    }
    if (group.residents.empty()) {
        group.carve_out = 0;
    }
    return group;
}

/// The group whose next step comes first, of those that are not over.
SmArray::EndingGroup* SmArray::next_ending() {
    EndingGroup* next = nullptr;
    for (auto& ending : endings_) {
        if (ending.done < ending.steps &&
            (next == nullptr ||
             (ending.done + 1) * next->steps < (next->done + 1) * ending.steps)) {
            next = &ending;
        }
    }
    return next;
}

std::uint64_t SmArray::place_as_they_end(const KernelDemand& demand, std::uint64_t blocks,
                                         std::uint32_t kernel, double block_time) {
    const auto age = next_age();
    auto left = blocks;
    while (left > 0) {
        auto* const ending = next_ending();
        if (ending == nullptr) {
            break;
        }
        // One SM after the other takes the step, and at once what then fits.
        auto stepped = *ending;
        stepped.group = after(*ending, ending->done + 1);
        ++stepped.done;
        const auto fits = room(stepped.group, demand);
        const auto sms = stepped.group.sms;
        if (std::uint64_t{fits} * sms <= left) {
            add(stepped.group, demand, fits, kernel, block_time, age);
            left -= std::uint64_t{fits} * sms;
            *ending = std::move(stepped);
            continue;
        }
        auto later = *ending;
        const auto full = static_cast<std::uint32_t>(left / fits);
        const auto rest = static_cast<std::uint32_t>(left % fits);
        later.group.sms -= full + (rest > 0 ? 1 : 0);
        endings_.erase(endings_.begin() + (ending - endings_.data()));
        const auto put = [&](std::uint32_t on, std::uint32_t per_sm) {
            auto part = stepped;
            part.group.sms = on;
            add(part.group, demand, per_sm, kernel, block_time, age);
            endings_.push_back(std::move(part));
        };
        if (full > 0) {
            put(full, fits);
        }
        if (rest > 0) {
            put(1, rest);
        }
        if (later.group.sms > 0) {
            endings_.push_back(std::move(later));
        }
        left = 0;
    }
    return blocks - left;
}

void SmArray::finish_endings() {
    for (const auto& ending : endings_) {
        groups_.push_back(after(ending, ending.steps));
    }
    endings_.clear();
    merge_equal_groups();
}

void SmArray::merge_equal_groups() {
    for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
        for (std::size_t j = groups_.size() - 1; j > i; --j) {
            const auto apart = difference(groups_[i], groups_[j]);
            if (apart >= 0 && apart < kSameTimeNs) {
                merge(groups_[i], groups_[j]);
                groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(j));
            }
        }
    }
    while (groups_.size() > kMostGroups) {
        std::array<std::size_t, 2> closest{};
        double least = -1;
        for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
            for (auto j = i + 1; j < groups_.size(); ++j) {
                const auto apart = difference(groups_[i], groups_[j]);
                if (apart >= 0 && (least < 0 || apart < least)) {
                    least = apart;
                    closest = {i, j};
                }
            }
        }
        if (least < 0) {
            return;
        }
        merge(groups_[closest[0]], groups_[closest[1]]);
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(closest[1]));
    }
}

}  // namespace overcast
