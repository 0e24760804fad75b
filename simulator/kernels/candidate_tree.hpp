// Which group of SMs takes the next block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

/// The best one has room for the most blocks, of equal ones it is the first in the order of the
/// chip. A tournament: each node holds the better of its two. All that decides is in one number, so
/// that there is no branch to guess wrong.
class CandidateTree {
public:
    /// For groups 0 to `groups` - 1, none of which has room until it is set.
    void reset(std::size_t groups) {
        leaves_ = std::max<std::size_t>(groups, 1);
        nodes_.assign(2 * leaves_, 0);
    }
    [[nodiscard]] std::size_t groups() const { return leaves_; }

    [[nodiscard]] bool empty() const { return nodes_[1] == 0; }
    /// The group.
    [[nodiscard]] std::size_t best() const { return kMost - (nodes_[1] & kMost); }
    [[nodiscard]] std::uint32_t best_room() const { return room_of(nodes_[1]); }
    /// Of the next best; 0: there is none.
    [[nodiscard]] std::uint32_t second_room() const {
        std::uint64_t second = 0;
        for (auto node = leaves_ + best(); node > 1; node /= 2) {
            second = std::max(second, nodes_[node ^ 1]);
        }
        return room_of(second);
    }
    /// All at once: put each, then build(). `room` may be 0.
    void put(std::size_t group, std::uint32_t room, std::uint32_t first) {
        nodes_[leaves_ + group] = key(group, room, first);
    }
    void build() {
        for (auto node = leaves_ - 1; node > 0; --node) {
            nodes_[node] = std::max(nodes_[2 * node], nodes_[2 * node + 1]);
        }
    }
    /// `room` may be 0.
    void set(std::size_t group, std::uint32_t room, std::uint32_t first) {
        auto held = key(group, room, first);
        auto node = leaves_ + group;
        nodes_[node] = held;
        for (; node > 1; node /= 2) {
            const auto other = nodes_[node ^ 1];
            held = other > held ? other : held;
            nodes_[node / 2] = held;
        }
    }

private:
    static constexpr int kBits = 24;  // of an SM's place, and of a group's
    static constexpr std::uint64_t kMost = (1U << kBits) - 1;

    static std::uint32_t room_of(std::uint64_t key) {
        return static_cast<std::uint32_t>(key >> (2 * kBits));
    }
    static std::uint64_t key(std::size_t group, std::uint64_t room, std::uint64_t first) {
        return room == 0 ? 0
                         : room << (2 * kBits) | (kMost - std::min(first, kMost)) << kBits |
                               (kMost - group);
    }

    std::size_t leaves_ = 1;
    std::vector<std::uint64_t> nodes_{0, 0};
};

}  // namespace overcast
