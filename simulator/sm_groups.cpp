// Which groups of SMs are in the same state, and become one.
#include "simulator/sm_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace overcast {
namespace {

/// More groups than this are merged where they differ least, so that cost stays flat.
constexpr std::size_t kMostGroups = 24;

/// The same for groups that hold the same blocks; for others hardly ever.
std::uint64_t mark_of(const SmGroup& group) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    const auto mix = [](std::uint64_t high, std::uint64_t low) {
        const auto value = (high << 32 | low) * kOdd;
        return (value ^ value >> 32) * kOdd;
    };
    auto mark = mix(group.free.threads, group.carve_out);
    for (const auto& resident : group.residents) {
        mark += mix(resident.kernel + 1, resident.per_sm);
    }
    return (mark ^ mark >> 32) | 1;
}

/// How far apart the ends of two groups are that hold the same blocks; negative if they do not.
double difference(const SmGroup& one, const SmGroup& other, Duration now) {
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
        most = std::max(most, std::abs(left.progress.left(now) - right.progress.left(now)));
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
    if (all_marks_differ()) {
        return;
    }
    merge_where_ends_fall_together();
    merge_the_closest();
}

bool SmArray::all_marks_differ() {
    marks_.reset(groups_.size());
    bool differ = true;
    for (auto& group : groups_) {
        if (group.mark == 0) {
            group.mark = mark_of(group);
        }
        differ = marks_.insert(group.mark) && differ;
    }
    return differ;
}

void SmArray::merge_where_ends_fall_together() {
    for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
        for (std::size_t j = groups_.size() - 1; j > i; --j) {
            const auto apart = apart_by(i, j);
            if (apart >= 0 && apart < kSameTimeNs) {
                merge_into(i, j);
            }
        }
    }
}

void SmArray::merge_the_closest() {
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
    const auto& left = groups_[one];
    const auto& right = groups_[other];
    return left.mark == right.mark ? difference(left, right, now_) : -1;
}

void SmArray::merge_into(std::size_t kept, std::size_t gone) {
    merge(groups_[kept], groups_[gone], now_);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(gone));
}

}  // namespace overcast
