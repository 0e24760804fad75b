// How blocks that end make room for others, SM by SM (pile-up, 37).
#include "simulator/kernels/sm_array.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace overcast {
namespace {

constexpr std::uint32_t kSmsOfTpc = 2;
/// Of a group whose SMs end one after the other. Assumes: they end evenly, and it does not matter
/// which of so few is first.
constexpr std::uint32_t kParts = 16;
/// Of 3,000 orders by chance, the one by which of an SM's sets, up to 8, about as many have ended
/// at any time as in the mean of all.
constexpr unsigned kTypical = 470;
constexpr double kAlmostDone = 1;  // ns: what is told apart late ends at once

/// So many of a group's SMs, as a group of their own.
SmGroup split(SmGroup& group, std::uint32_t sms) {
    SmGroup part;
    if (sms > 0) {
        part = group;
        part.sms = sms;
        group.sms -= sms;
    }
    return part;
}

/// By so much of their work, ns; negative: later.
void end_sooner(BlockProgress& progress, double sooner, Duration now) {
    const auto left = progress.left(now);
    progress.set_left(now, std::max(left - sooner, std::min(left, kAlmostDone)));
}

}  // namespace

void SmArray::begin_endings() {
    for (auto& group : groups_) {
        if (group.ending) {
            marks_.remove(group.mark);
            group.mark = 0;
            endings_.push_back(std::exchange(group, SmGroup{}));
        }
    }
    ending_.clear();
    erase_empty();
}

/// So many SMs of the first ending group.
SmGroup SmArray::take_ending(std::uint32_t sms) {
    if (sms < endings_.front().sms) {
        return split(endings_.front(), sms);
    }
    auto all = std::move(endings_.front());
    endings_.erase(endings_.begin());
    return all;
}

/// Of the SMs whose blocks end together, those whose end now where not all are needed; the others'
/// end later. Where they end one SM after the other, both of a TPC.
std::uint32_t SmArray::open_at_once(const SmGroup& ending) const {
    if (std::ranges::any_of(ending.residents,
                            [](const auto& blocks) { return blocks.ending && blocks.apart; })) {
        return std::min(kSmsOfTpc, ending.sms);
    }
    return static_cast<std::uint32_t>(
        std::clamp(ending.sms * open_at_once_ + 0.5, 1.0, static_cast<double>(ending.sms)));
}

void SmArray::tell_apart(std::uint32_t place, std::uint32_t kernel, double lead) {
    const auto all = groups_[place].sms;
    const auto parts = std::min(kParts, all);
    for (std::uint32_t i = 0; i < parts; ++i) {
        const auto sms = all * (i + 1) / parts - all * i / parts;
        const auto at = split_off(place, sms);
        const auto sooner = lead * (parts - 1 - i) / parts;
        for (auto& blocks : groups_[at].residents) {
            if (blocks.kernel == kernel && !blocks.apart) {
                blocks.apart = true;
                end_sooner(blocks.progress, sooner, now_);
            }
        }
        mark_changed(groups_[at]);
    }
}

void SmArray::mix_ends(std::uint32_t place, std::uint32_t kernel, double window) {
    const auto all = groups_[place].sms;
    const auto parts = std::min(kParts, all);
    split_sets(groups_[place], kernel);
    std::vector<std::size_t> places;
    for (std::uint32_t i = 0; i < parts; ++i) {
        places.push_back(split_off(place, all * (i + 1) / parts - all * i / parts));
    }
    const auto sets = groups_[place].residents.size();
    std::minstd_rand chance{kTypical};
    for (std::size_t set = 0; set < sets; ++set) {
        if (groups_[places.front()].residents[set].kernel != kernel) {
            continue;
        }
        for (std::uint32_t i = 0; i < parts; ++i) {
            std::swap(places[i], places[i + chance() % (parts - i)]);
            auto& blocks = groups_[places[i]].residents[set];
            blocks.apart = true;
            end_sooner(blocks.progress, window * (0.5 - (i + 0.5) / parts), now_);
        }
    }
    for (const auto part : places) {
        mark_changed(groups_[part]);
    }
}

void SmArray::tell_fast_apart(std::uint32_t place, std::uint32_t kernel, std::uint32_t fast,
                              double faster, double work) {
    fast_are_known_ = true;
    const auto all = groups_[place].sms;
    const auto mean = 1 + (faster - 1) * fast / all;
    const auto turn_into = [&](SmGroup& group, SmKind kind, double speed) {
        group.kind = kind;
        for (auto& blocks : group.residents) {
            if (blocks.kernel == kernel) {
                const auto done = work - blocks.progress.left(now_);
                end_sooner(blocks.progress, (speed / mean - 1) * done, now_);
            }
        }
        mark_changed(group);
    };
    if (fast > 0 && fast < all) {
        turn_into(groups_[split_off(place, fast)], SmKind::fast, faster);
    }
    turn_into(groups_[place], fast < all ? SmKind::other : SmKind::fast, fast < all ? 1 : faster);
}

void SmArray::forget_fast() {
    if (!fast_are_known_) {
        return;
    }
    fast_are_known_ = false;
    for (auto& group : groups_) {
        group.kind = SmKind::unknown;
        mark_changed(group);
    }
    merge_equal_groups();
}

/// Blocks that an SM of the group takes when its ending ones have left.
std::uint32_t SmArray::room_of_ended(const SmGroup& group, const KernelDemand& demand) const {
    auto free = group.free;
    bool empty = true;
    for (const auto& resident : group.residents) {
        if (resident.ending) {
            free.give(resident.demand->per_block, resident.per_sm);
        } else {
            empty = false;
        }
    }
    return room(free, empty ? 0 : group.carve_out, demand);
}

/// How many blocks an SM has room for when one, two, and more of its ending blocks have left, up to
/// `all`: when all have, and what the SM sets aside as shared memory can change.
void SmArray::find_rooms(const SmGroup& ending, const KernelDemand& demand, std::uint32_t all) {
    rooms_.clear();
    auto free = ending.free;
    for (const auto& resident : ending.residents) {
        for (std::uint32_t i = 0; resident.ending && i < resident.per_sm; ++i) {
            free.give(resident.demand->per_block, 1);
            rooms_.push_back(std::min(all, room(free, ending.carve_out, demand)));
        }
    }
    rooms_.back() = all;
}

std::uint64_t SmArray::place_as_they_end(const KernelDemand& demand, std::uint64_t blocks,
                                         std::uint32_t kernel, double block_time) {
    auto left = blocks;
    const auto put = [&](SmGroup ending, std::uint32_t per_sm) {
        if (ending.sms > 0) {
            left -= std::uint64_t{ending.sms} * per_sm;
            auto& group = append(std::move(ending));
            // What has waited for the SM finds it as it was left, if that is enough.
            const auto carve_out = group.carve_out;
            const auto from = release(group);
            group.carve_out = carve_out;
            add(group, demand, per_sm, kernel, block_time);
            mark_changed(group, from);
        }
    };
    while (left > 0 && !endings_.empty()) {
        const auto& ending = endings_.front();
        const auto fits = room_of_ended(ending, demand);
        const auto all_find_room = [&](std::uint32_t sms) {
            return std::uint64_t{fits} * sms <= left;
        };
        const auto sms = all_find_room(ending.sms) ? ending.sms : open_at_once(ending);
        if (all_find_room(sms)) {
            put(take_ending(sms), fits);
            continue;
        }
        // Their blocks leave by turns, one of each SM, until who waits has found room.
        auto later = take_ending(sms);
        find_rooms(later, demand, fits);
        const auto enough = std::ranges::find_if(
            rooms_, [&](std::uint32_t each) { return std::uint64_t{each} * sms >= left; });
        const auto taken = enough == rooms_.begin() ? 0 : *std::prev(enough);
        const auto more = left - std::uint64_t{taken} * sms;
        const auto in_turn = *enough - taken;
        const auto full = static_cast<std::uint32_t>(more / in_turn);
        const auto rest = static_cast<std::uint32_t>(more % in_turn);
        put(split(later, full), *enough);
        put(split(later, rest > 0 ? 1 : 0), taken + rest);
        if (taken > 0) {
            put(std::move(later), taken);
        } else if (later.sms > 0) {
            endings_.insert(endings_.begin(), std::move(later));
        }
    }
    return blocks - left;
}

void SmArray::finish_endings() {
    for (auto& ending : endings_) {
        auto& group = append(std::move(ending));
        mark_changed(group, release(group));
    }
    endings_.clear();
    merge_equal_groups();
}

}  // namespace overcast
