#include "simulator/kernels/end_tree.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

std::vector<std::size_t> until(const EndTree& tree, Duration time) {
    std::vector<std::size_t> found;
    tree.visit_until(time, [&](std::size_t group) { found.push_back(group); });
    return found;
}

TEST(EndTree, groups_that_end_in_time_are_found_in_their_order) {
    EndTree tree;
    EXPECT_EQ(tree.first(), kNoEnd);
    std::size_t group = 0;
    for (const int end : {50, 20, 70, 20, 30}) {
        tree.set(group++, Duration{end});
    }
    EXPECT_EQ(tree.first(), Duration{20});
    EXPECT_EQ(until(tree, Duration{19}), std::vector<std::size_t>{});
    EXPECT_EQ(until(tree, Duration{20}), (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(until(tree, Duration{49}), (std::vector<std::size_t>{1, 3, 4}));
    EXPECT_EQ(until(tree, Duration{70}), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    tree.set(1, kNoEnd);
    tree.set(3, Duration{60});
    EXPECT_EQ(tree.first(), Duration{30});
    EXPECT_EQ(until(tree, Duration{60}), (std::vector<std::size_t>{0, 3, 4}));
}

TEST(EndTree, what_is_left_of_the_groups_has_other_places) {
    EndTree tree;
    tree.set(40, Duration{5});
    const std::vector<Duration> ends{Duration{9}, Duration{7}, kNoEnd};
    tree.reset(ends.size(), [&](std::size_t group) { return ends[group]; });
    EXPECT_EQ(tree.first(), Duration{7});
    EXPECT_EQ(until(tree, Duration{9}), (std::vector<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace overcast
