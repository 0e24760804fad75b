// Which groups of SMs are in the same state, and become one.
#include "simulator/kernels/sm_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace overcast {
namespace {

/// More groups than this are merged where they differ least, so that cost stays flat.
constexpr std::size_t kMostGroups = 24;

/// How far apart the ends of two groups are that hold the same blocks, if nearer than `bound`; else
/// that or more, or negative: they do not.
double difference(const SmGroup& one, const SmGroup& other, Duration now, double bound) {
    if (one.kind != other.kind || one.residents.size() != other.residents.size() ||
        one.carve_out != other.carve_out || !(one.free == other.free)) {
        return -1;
    }
    double most = 0;
    for (std::size_t i = 0; i < one.residents.size(); ++i) {
        const auto& left = one.residents[i];
        const auto& right = other.residents[i];
        if (left.kernel != right.kernel || left.per_sm != right.per_sm ||
            left.beside_clusters != right.beside_clusters || left.phase != right.phase) {
            return -1;
        }
        most = std::max(most, std::abs(left.progress.left(now) - right.progress.left(now)));
        if (most >= bound) {
            return most;
        }
    }
    return most;
}

void merge(SmGroup& kept, const SmGroup& gone, Duration now) {
    const auto share = static_cast<double>(gone.sms) / static_cast<double>(kept.sms + gone.sms);
    for (std::size_t i = 0; i < kept.residents.size(); ++i) {
        auto& progress = kept.residents[i].progress;
        const auto left = progress.left(now);
        progress.set_left(now, left + share * (gone.residents[i].progress.left(now) - left));
    }
    kept.sms += gone.sms;
    kept.first = std::min(kept.first, gone.first);
    kept.changed = true;
}

}  // namespace

/// Groups can only be merged where another one holds the same blocks, which their marks tell
/// without looking at both.
void SmArray::merge_equal_groups() {
    if (groups_.size() == 1) {
        may_hold_twins_ = true;
        return;
    }
    mark_again();
    find_twins();
    if (!twins_.empty()) {
        merge_where_ends_fall_together();
        merge_the_closest();
    }
    for (const auto suspect : suspects_) {
        groups_[suspect].suspect = false;
    }
    suspects_.clear();
    if (merged_ > 0) {
        erase_empty();
        merged_ = 0;
    }
    may_hold_twins_ = groups_.size() <= kMostGroups;
}

/// As long as there are few groups, some that hold the same blocks may stand side by side. Of many,
/// only those that have changed can have become like another one.
void SmArray::find_twins() {
    twins_.clear();
    if (!may_hold_twins_ && suspects_.empty()) {
        return;
    }
    const auto add_those = [this](const auto& is_one) {
        for (std::uint32_t i = 0; i < groups_.size(); ++i) {
            if (is_one(groups_[i].mark)) {
                twins_.push_back(seen_at(i));
            }
        }
    };
    if (may_hold_twins_) {
        add_those([this](std::uint64_t mark) { return marks_.may_be_twice(mark); });
        return;
    }
    for (const auto suspect : suspects_) {
        add_those([mark = groups_[suspect].mark](std::uint64_t other) { return other == mark; });
    }
    if (suspects_.size() > 1) {
        std::ranges::sort(twins_, {}, &Twin::place);
        const auto repeated = std::ranges::unique(twins_, {}, &Twin::place);
        twins_.erase(repeated.begin(), repeated.end());
    }
}

void SmArray::mark_changed(SmGroup& group, std::size_t from) {
    candidates_.changed(place_of(group));
    group.settled = std::min(group.settled, static_cast<std::uint32_t>(from));
    if (!group.changed) {
        group.changed = true;
        changed_.push_back(place_of(group));
    }
    if (!group.unmarked) {
        group.unmarked = true;
        unmarked_.push_back(place_of(group));
    }
}

/// Of what has changed since: marks are asked for only where groups are compared.
void SmArray::mark_again() {
    for (const auto place : unmarked_) {
        marks_.remove(groups_[place].mark);
    }
    for (const auto place : unmarked_) {
        auto& group = groups_[place];
        group.unmarked = false;
        group.mark = (group.content ^ group.content >> 32) | 1;
        if (marks_.add(group.mark)) {
            group.suspect = true;
            suspects_.push_back(place);
        }
    }
    unmarked_.clear();
}

void SmArray::merge_where_ends_fall_together() {
    for (std::size_t i = 0; i + 1 < twins_.size(); ++i) {
        for (std::size_t j = twins_.size() - 1; j > i; --j) {
            if (!twins_[i].suspect && !twins_[j].suspect) {
                continue;  // as far apart as they were
            }
            const auto apart = apart_by(twins_[i], twins_[j], kSameTimeNs);
            if (apart >= 0 && apart < kSameTimeNs) {
                merge_twins(i, j);
            }
        }
    }
}

void SmArray::merge_the_closest() {
    while (groups_.size() - merged_ > kMostGroups) {
        std::array<std::size_t, 2> closest{};
        constexpr auto kFar = std::numeric_limits<double>::infinity();
        auto least = kFar;
        for (std::size_t i = 0; i + 1 < twins_.size(); ++i) {
            for (auto j = i + 1; j < twins_.size(); ++j) {
                const auto apart = apart_by(twins_[i], twins_[j], least);
                if (apart >= 0 && apart < least) {
                    least = apart;
                    closest = {i, j};
                }
            }
        }
        if (least == kFar) {
            return;
        }
        merge_twins(closest[0], closest[1]);
    }
}

SmArray::Twin SmArray::seen_at(std::uint32_t place) const {
    const auto& group = groups_[place];
    Twin seen{.place = place, .suspect = group.suspect, .mark = group.mark};
    if (!group.residents.empty()) {
        seen.oldest = group.residents.front().progress.left(now_);
        seen.youngest = group.residents.back().progress.left(now_);
    }
    return seen;
}

double SmArray::apart_by(const Twin& one, const Twin& other, double bound) const {
    if (one.mark != other.mark) {
        return -1;
    }
    const auto at_least =
        std::max(std::abs(one.oldest - other.oldest), std::abs(one.youngest - other.youngest));
    return at_least < bound ? difference(groups_[one.place], groups_[other.place], now_, bound)
                            : at_least;
}

void SmArray::merge_twins(std::size_t kept, std::size_t gone) {
    auto& merged = groups_[twins_[gone].place];
    auto& both = groups_[twins_[kept].place];
    merge(both, merged, now_);
    both.scattered = both.sms < multiprocessors_ && (both.scattered || merged.scattered);
    some_scattered_ = some_scattered_ && both.sms < multiprocessors_;
    marks_.remove(merged.mark);
    merged.sms = 0;
    ++merged_;
    twins_[kept] = seen_at(twins_[kept].place);
    twins_.erase(twins_.begin() + static_cast<std::ptrdiff_t>(gone));
}

}  // namespace overcast
