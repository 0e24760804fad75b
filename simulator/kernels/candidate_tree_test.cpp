#include "simulator/kernels/candidate_tree.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(CandidateTree, the_best_group_has_most_room_and_of_equal_ones_the_first_sm) {
    CandidateTree tree;
    tree.reset(5);  // no power of two
    tree.put(0, 512, 0);
    tree.put(1, 1024, 7);
    tree.put(2, 1024, 3);
    tree.put(4, 768, 1);
    tree.build();
    EXPECT_EQ(tree.best(), 2);
    EXPECT_EQ(tree.second_room(), 1024);
    tree.set(2, 256, 3);
    EXPECT_EQ(tree.best(), 1);
    EXPECT_EQ(tree.second_room(), 768);
    tree.set(1, 0, 0);
    EXPECT_EQ(tree.best(), 4);
    EXPECT_EQ(tree.second_room(), 512);
}

TEST(CandidateTree, of_groups_that_begin_at_the_same_sm_the_earlier_one_is_taken) {
    CandidateTree tree;
    tree.reset(2);
    tree.set(0, 512, 4);
    tree.set(1, 512, 4);
    EXPECT_EQ(tree.best(), 0);
}

TEST(CandidateTree, a_single_group_has_no_second) {
    CandidateTree tree;
    tree.reset(1);
    EXPECT_TRUE(tree.empty());
    tree.set(0, 2048, 0);
    EXPECT_EQ(tree.best(), 0);
    EXPECT_EQ(tree.second_room(), 0);
    tree.set(0, 0, 0);
    EXPECT_TRUE(tree.empty());
}

}  // namespace
}  // namespace overcast
