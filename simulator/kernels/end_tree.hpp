// When the blocks of the groups of SMs end, the first of them at hand.
#pragma once

#include "simulator/kernels/block_progress.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace overcast {

/// A tournament: each node holds the sooner of its two.
class EndTree {
public:
    /// For groups 0 to `groups` - 1, of which `end_of` tells when each ends.
    template <class EndOf>
    void reset(std::size_t groups, const EndOf& end_of) {
        leaves_ = std::bit_ceil(std::max<std::size_t>(groups, 1));
        nodes_.assign(2 * leaves_, kNoEnd);
        for (std::size_t group = 0; group < groups; ++group) {
            nodes_[leaves_ + group] = end_of(group);
        }
        for (auto node = leaves_ - 1; node > 0; --node) {
            nodes_[node] = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
        }
    }

    /// One that there was not before may follow the last.
    void set(std::size_t group, Duration end) {
        if (group >= leaves_) {
            grow(group + 1);
        }
        auto node = leaves_ + group;
        if (nodes_[node] == end) {
            return;  // as before, up to the root
        }
        nodes_[node] = end;
        for (; node > 1; node /= 2) {
            const auto other = nodes_[node ^ 1];  // by value: no branch to guess wrong
            end = other < end ? other : end;
            nodes_[node / 2] = end;
        }
    }

    [[nodiscard]] Duration first() const { return nodes_[1]; }

    /// Those that end until `time`, in their order.
    template <class Visit>
    void visit_until(Duration time, const Visit& visit) const {
        for (std::size_t node = first() <= time ? 1 : 0; node > 0;) {
            while (node < leaves_) {
                node = 2 * node + (nodes_[2 * node] <= time ? 0 : 1);
            }
            visit(node - leaves_);
            // Up to where there is another one on the right.
            while (node > 1 && (static_cast<int>(node % 2) | (nodes_[node | 1] > time)) != 0) {
                node /= 2;
            }
            node = node > 1 ? node + 1 : 0;
        }
    }

private:
    void grow(std::size_t groups) {
        const auto old = std::exchange(nodes_, {});
        const auto before = leaves_;
        reset(groups, [&](std::size_t i) { return i < before ? old[before + i] : kNoEnd; });
    }

    std::size_t leaves_ = 1;
    std::vector<Duration> nodes_{kNoEnd, kNoEnd};
};

}  // namespace overcast
