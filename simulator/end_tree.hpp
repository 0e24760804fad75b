// When the blocks of the groups of SMs end, the first of them at hand.
#pragma once

#include "simulator/block_progress.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace overcast {

/// A tournament: each node holds the sooner of its two.
class EndTree {
public:
    /// None of the groups ends until it is set.
    void reset(std::size_t groups) {
        leaves_ = std::bit_ceil(std::max<std::size_t>(groups, 1));
        nodes_.assign(2 * leaves_, kNoEnd);
    }

    void set(std::size_t group, Duration end) {
        if (group >= leaves_) {
            grow(group + 1);
        }
        auto node = leaves_ + group;
        nodes_[node] = end;
        while (node > 1) {
            node /= 2;
            const auto sooner = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
            if (nodes_[node] == sooner) {
                return;
            }
            nodes_[node] = sooner;
        }
    }

    [[nodiscard]] Duration first() const { return nodes_[1]; }

    /// Those that end until `time`, in their order.
    template <class Visit>
    void visit_until(Duration time, const Visit& visit) const {
        for (std::size_t node = 1; node > 0;) {
            const bool some = nodes_[node] <= time;
            if (some && node < leaves_) {
                node *= 2;
                continue;
            }
            if (some) {
                visit(node - leaves_);
            }
            // On to the right, where need be after a way up.
            node >>= std::countr_one(node);
            node += node > 0 ? 1 : 0;
        }
    }

private:
    void grow(std::size_t groups) {
        const std::vector<Duration> ends(nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_),
                                         nodes_.end());
        reset(groups);
        for (std::size_t group = 0; group < ends.size(); ++group) {
            set(group, ends[group]);
        }
    }

    std::size_t leaves_ = 1;
    std::vector<Duration> nodes_{kNoEnd, kNoEnd};
};

}  // namespace overcast
