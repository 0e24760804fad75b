#include "simulator/kernels/mark_counts.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(MarkCounts, never_misses_a_mark_that_comes_up_twice) {
    MarkCounts marks;
    EXPECT_FALSE(marks.add(1));
    EXPECT_FALSE(marks.add(2));
    EXPECT_TRUE(marks.add(1));
}

TEST(MarkCounts, tells_which_of_those_that_are_kept_may_come_up_twice) {
    MarkCounts marks;
    marks.add(1);
    marks.add(2);
    marks.add(1);
    EXPECT_TRUE(marks.may_be_twice(1));
    EXPECT_FALSE(marks.may_be_twice(2));
    marks.remove(1);
    EXPECT_FALSE(marks.may_be_twice(1));
}

TEST(MarkCounts, forgets_what_is_removed_as_often_as_it_was_added) {
    MarkCounts marks;
    marks.add(7);
    marks.add(7);
    marks.remove(7);
    EXPECT_TRUE(marks.add(7));
    marks.remove(7);
    marks.remove(7);
    EXPECT_FALSE(marks.add(7));
}

}  // namespace
}  // namespace overcast
