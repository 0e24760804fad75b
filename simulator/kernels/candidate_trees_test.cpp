#include "simulator/kernels/candidate_trees.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace overcast {
namespace {

/// Groups with so much room, and which of them were looked at.
struct Groups {
    std::vector<std::uint32_t> rooms;
    std::vector<std::uint32_t> looked_at;

    CandidateTrees::Kept& candidates(CandidateTrees& trees, std::uint32_t threads) {
        KernelDemand demand;
        demand.per_block.threads = threads;
        looked_at.clear();
        return trees.of(demand, rooms.size(), [this](std::uint32_t group) {
            looked_at.push_back(group);
            return std::pair{rooms[group], group};
        });
    }
};

using Places = std::vector<std::uint32_t>;

TEST(CandidateTrees, look_again_only_at_groups_that_have_changed) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 1);
    EXPECT_EQ(groups.looked_at, (Places{0, 1, 2}));
    groups.rooms[2] = 4;
    trees.changed(2);
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 2);
    EXPECT_EQ(groups.looked_at, Places{2});
}

TEST(CandidateTrees, look_once_at_a_group_that_has_changed_twice) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    groups.candidates(trees, 128);
    for (const std::uint32_t room : {5U, 0U}) {
        groups.rooms[1] = room;
        trees.changed(1);
    }
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 2);
    EXPECT_EQ(groups.looked_at, Places{1});
    groups.rooms[1] = 7;  // and again after it was looked at
    trees.changed(1);
    EXPECT_EQ(groups.candidates(trees, 256).tree.best(), 1);
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 1);
}

TEST(CandidateTrees, keep_blocks_of_each_kind_apart) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    groups.candidates(trees, 128);
    groups.candidates(trees, 256);
    EXPECT_EQ(groups.looked_at, (Places{0, 1, 2}));
    groups.rooms[0] = 9;
    trees.changed(0);
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 0);
    EXPECT_EQ(groups.candidates(trees, 256).tree.best(), 0);
    EXPECT_EQ(groups.looked_at, Places{0});
}

TEST(CandidateTrees, look_at_all_groups_when_they_have_other_places) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    groups.candidates(trees, 128);
    groups.rooms = {5, 3};
    trees.renumbered();
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 0);
    EXPECT_EQ(groups.looked_at, (Places{0, 1}));
}

TEST(CandidateTrees, find_room_on_groups_that_were_added) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    groups.candidates(trees, 128);
    for (std::uint32_t added = 3; added < 40; ++added) {
        groups.rooms.push_back(added + 1);
        trees.changed(added);
        EXPECT_EQ(groups.candidates(trees, 128).tree.best(), added);
    }
}

TEST(CandidateTrees, do_not_look_at_what_whoever_placed_has_put_right) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    auto& kept = groups.candidates(trees, 128);
    trees.changed(1);
    kept.tree.set(1, 0, 1);
    trees.is_current(kept);
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 2);
    EXPECT_TRUE(groups.looked_at.empty());
}

TEST(CandidateTrees, lose_nothing_where_very_much_changes) {
    CandidateTrees trees;
    Groups groups{{1, 3, 2}, {}};
    groups.candidates(trees, 128);
    groups.rooms[0] = 9;
    trees.changed(0);
    for (int i = 0; i < 5000; ++i) {
        trees.changed(2);
    }
    EXPECT_EQ(groups.candidates(trees, 128).tree.best(), 0);
}

}  // namespace
}  // namespace overcast
