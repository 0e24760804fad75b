#include "simulator/mark_set.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(MarkSet, says_which_marks_it_has_seen_even_where_their_places_are_the_same) {
    MarkSet marks;
    marks.reset(3);
    EXPECT_TRUE(marks.insert(1));
    EXPECT_TRUE(marks.insert(1 + (1 << 20)));
    EXPECT_TRUE(marks.insert(1 + (1 << 21)));
    EXPECT_FALSE(marks.insert(1 + (1 << 20)));
}

TEST(MarkSet, forgets_all) {
    MarkSet marks;
    marks.reset(1);
    EXPECT_TRUE(marks.insert(7));
    marks.reset(100);
    EXPECT_TRUE(marks.insert(7));
}

}  // namespace
}  // namespace overcast
