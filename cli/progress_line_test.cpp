#include "cli/progress_line.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;

TEST(ProgressLine, says_what_comes_and_how_long_the_rest_takes) {
    // 50 of 200 steps took 100 s: 150 more take 300 s.
    EXPECT_EQ(progress_text(50, 200, "pipeline", 100s), "[ 50/200] pipeline; about 5 min left");
    EXPECT_EQ(progress_text(150, 200, "tiny", 100s), "[150/200] tiny; about 33 s left");
}

TEST(ProgressLine, does_not_guess_from_the_first_steps) {
    EXPECT_EQ(progress_text(0, 200, "pipeline", 1s), "[  0/200] pipeline");
    EXPECT_EQ(progress_text(9, 200, "pipeline", 1s), "[  9/200] pipeline");
}

}  // namespace
}  // namespace overcast
