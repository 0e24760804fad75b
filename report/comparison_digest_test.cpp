#include "report/comparison_digest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using std::chrono::microseconds;
using ::testing::HasSubstr;

TimelineEntry on_device(microseconds start, microseconds end) {
    TimelineEntry entry;
    entry.on_device = true;
    entry.device_start = TimelineTime{start};
    entry.device_end = TimelineTime{end};
    return entry;
}

Comparison of_walls(Duration left, Duration right) {
    Comparison comparison;
    comparison.left.label = "before";
    comparison.left.wall = left;
    comparison.right.label = "after";
    comparison.right.wall = right;
    return comparison;
}

TEST(ComparisonHeadline, says_both_makespans_and_their_difference) {
    // 8 us - 10 us = -2 us, a fifth of 10 us
    EXPECT_EQ(headline(of_walls(microseconds{10}, microseconds{8}), {}),
              "Makespan 10.00 us before, 8.000 us after: 2.000 us less (-20.0 %).");
    EXPECT_THAT(headline(of_walls(microseconds{8}, microseconds{10}), {}),
                HasSubstr(": 2.000 us more (+25.0 %)."));
    EXPECT_THAT(headline(of_walls(microseconds{8}, microseconds{8}), {}), HasSubstr("the same."));
}

TEST(MostDifferent, ranks_by_the_size_of_the_difference_and_leaves_out_what_is_the_same) {
    Comparison comparison;
    const auto add = [&](std::uint32_t ordinal, microseconds left, microseconds right) {
        ComparedOperation operation;
        operation.ordinal = ordinal;
        operation.left = on_device(left, left + microseconds{5});
        operation.right = on_device(right, right + microseconds{5});
        comparison.matched.push_back(operation);
    };
    add(0, microseconds{1}, microseconds{2});    // 1 us later
    add(1, microseconds{20}, microseconds{10});  // 10 us earlier
    add(2, microseconds{30}, microseconds{30});
    add(3, microseconds{40}, microseconds{43});  // 3 us later
    const auto moved = most_different(comparison, 8, start_of);
    ASSERT_EQ(moved.size(), 3U);
    EXPECT_EQ(moved[0]->ordinal, 1U);
    EXPECT_EQ(moved[1]->ordinal, 3U);
    EXPECT_EQ(moved[2]->ordinal, 0U);
    EXPECT_EQ(most_different(comparison, 1, start_of).size(), 1U);
    EXPECT_TRUE(most_different(comparison, 8, length_of).empty());
}

TEST(UnmatchedGroups, sums_up_what_reads_the_same) {
    const auto copy = [](microseconds duration) {
        return UnmatchedOperation{"D2H copy", "", 1024, {}, on_device(microseconds{}, duration)};
    };
    const UnmatchedOperation kernel{
        "kernel", "void scale<float>(float*)", 1, {}, on_device(microseconds{}, microseconds{9})};
    const auto groups = unmatched_groups({copy(microseconds{2}), kernel, copy(microseconds{3})});
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].text, "scale<float>");
    EXPECT_EQ(groups[1].text, "D2H copy, 1 KiB");
    EXPECT_EQ(groups[1].count, 2U);
    EXPECT_EQ(groups[1].time, microseconds{5});
}

}  // namespace
}  // namespace overcast
