#include "model/full_pipe.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(FullPipe, one_warp_leaves_what_it_does_not_use) {
    EXPECT_DOUBLE_EQ(idle_share(1, 0.75), 0.25);
    EXPECT_NEAR(idle_share(1, 5), 0.1, 1e-12);  // waits for its own instructions
}

TEST(FullPipe, warps_that_come_at_the_same_time_wait_and_leave_more_than_their_load_says) {
    // 1 / (1 + 2 + 2): each half of the time elsewhere, or here, or behind the other one.
    EXPECT_DOUBLE_EQ(idle_share(2, 1), 0.2);
    EXPECT_DOUBLE_EQ(idle_share(0.3, 0.5), idle_share(1, 0.5));
}

TEST(FullPipe, is_hardly_ever_idle_where_many_ask_for_several_times_of_it) {
    EXPECT_GT(idle_share(16, 1), 0.05);
    EXPECT_LT(idle_share(16, 3), 1e-4);
    EXPECT_GT(idle_share(16, 3), 1e-6);
}

TEST(FullPipe, waits_are_those_of_the_device_in_cycles) {
    DeviceModel model;
    model.device.core_clock_khz = 2e6;
    model.kernels.longest_wait_ns = 16'000;
    model.kernels.longest_xu_wait_ns = 9'000;
    EXPECT_DOUBLE_EQ(longest_wait(static_cast<std::size_t>(SmUnit::xu_pipe), model), 18'000);
    EXPECT_DOUBLE_EQ(longest_wait(static_cast<std::size_t>(SmUnit::alu_pipe), model), 32'000);
    EXPECT_DOUBLE_EQ(longest_wait(static_cast<std::size_t>(SmUnit::l1), model), 0);
    model.device.core_clock_khz.reset();
    EXPECT_DOUBLE_EQ(longest_wait(static_cast<std::size_t>(SmUnit::alu_pipe), model), 0);
}

TEST(FullPipe, knows_pipes_of_arithmetic_alone) {
    EXPECT_EQ(pipe_cycles(static_cast<std::size_t>(SmUnit::xu_pipe)), 8);
    EXPECT_EQ(pipe_cycles(static_cast<std::size_t>(SmUnit::issue_slots)), 0);
    EXPECT_EQ(pipe_cycles(static_cast<std::size_t>(SmUnit::lsu_pipe)), 0);
}

}  // namespace
}  // namespace overcast
