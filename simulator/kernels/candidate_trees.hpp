// The candidates for blocks of each kind, kept from one placement to the next.
#pragma once

#include "model/kernel_model.hpp"
#include "simulator/kernels/candidate_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace overcast {

/// What decides how many blocks of a kernel an SM takes.
struct BlockNeeds {
    SmResources per_block;
    std::uint32_t carve_out = 0;
    std::uint32_t least_carve_out = 0;
    bool needs_carve_out = false;

    explicit BlockNeeds(const KernelDemand& demand)
        : per_block{demand.per_block},
          carve_out{demand.carve_out},
          least_carve_out{demand.least_carve_out},
          needs_carve_out{demand.needs_carve_out} {}
    bool operator==(const BlockNeeds&) const = default;
};

/// Which groups have room for a kernel is looked up again only of those that have changed since the
/// last kernel whose blocks need the same.
class CandidateTrees {
public:
    struct Kept {
        BlockNeeds needs;
        CandidateTree tree;
        std::uint64_t numbering = 0;  ///< of the groups; 0: of none
        std::size_t seen = 0;         ///< so many of the changes are in it
    };

    /// A group has other blocks, or another first SM; or there is one more.
    void changed(std::uint32_t group) {
        if (newest_seen_ < changes_.size() && changes_.back() == group) {
            return;  // once more, before anybody looked
        }
        if (changes_.size() == kMostChanges) {
            renumbered();
        }
        changes_.push_back(group);
    }
    /// All groups have other places.
    void renumbered() {
        ++numbering_;
        changes_.clear();
        newest_seen_ = 0;
    }

    /// Those of blocks as `demand` asks for among groups 0 to `groups` - 1, of which `look` tells
    /// the room and the first SM. Whoever changes both, groups and tree, says so by is_current().
    template <class Look>
    Kept& of(const KernelDemand& demand, std::size_t groups, const Look& look) {
        auto& kept = find(BlockNeeds{demand});
        const auto behind = changes_.size() - std::min(kept.seen, changes_.size());
        if (kept.numbering != numbering_ || groups > kept.tree.groups() || behind > groups) {
            kept.tree.reset(groups + groups / 8 + 1);  // some may be added
            for (std::uint32_t group = 0; group < groups; ++group) {
                const auto [room, first] = look(group);
                kept.tree.put(group, room, first);
            }
            kept.tree.build();
        } else {
            for (auto change = kept.seen; change < changes_.size(); ++change) {
                const auto [room, first] = look(changes_[change]);
                kept.tree.set(changes_[change], room, first);
            }
        }
        kept.numbering = numbering_;
        is_current(kept);
        return kept;
    }
    /// All changes so far are in the tree.
    void is_current(Kept& kept) {
        kept.seen = changes_.size();
        newest_seen_ = kept.seen;
    }

private:
    static constexpr std::size_t kMostChanges = 4096;
    static constexpr std::size_t kMostKept = 16;  // kinds of blocks; of more, the oldest goes

    Kept& find(const BlockNeeds& needs) {
        const auto found = std::ranges::find(kept_, needs, &Kept::needs);
        if (found != kept_.end()) {
            return *found;
        }
        if (kept_.size() == kMostKept) {
            kept_.erase(kept_.begin());
        }
        return kept_.emplace_back(Kept{needs, {}, 0, 0});
    }

    std::vector<Kept> kept_;
    std::vector<std::uint32_t> changes_;  ///< groups, since they were numbered
    std::size_t newest_seen_ = 0;         ///< of these, how many are in some tree
    std::uint64_t numbering_ = 1;
};

}  // namespace overcast
