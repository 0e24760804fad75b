#include "model/kernel_concurrency.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

double used(const std::vector<UnitUsers>& users, double delay) {
    double sum = 0;
    for (const auto& user : users) {
        sum += user.count * user.demand / (1 + user.demand * delay);
    }
    return sum;
}

TEST(UnitDelay, is_nothing_where_there_is_enough_for_all) {
    EXPECT_EQ(unit_delay(std::vector<UnitUsers>{{2, 0.3}, {1, 0.4}}), 0);
    EXPECT_EQ(unit_delay({}), 0);
}

TEST(UnitDelay, slows_equal_users_by_the_sum_of_their_demands) {
    // Four times 0.5: 1 + 0.5 w = 2.
    EXPECT_NEAR(unit_delay(std::vector<UnitUsers>{{4, 0.5}}), 2, 1e-5);
    EXPECT_NEAR(unit_delay(std::vector<UnitUsers>{{1, 0.5}, {3, 0.5}}), 2, 1e-5);
}

TEST(UnitDelay, leaves_the_unit_fully_used_and_slows_the_greedy_more) {
    const std::vector<UnitUsers> users{{1, 0.9}, {2, 0.4}, {5, 0.01}};
    const auto delay = unit_delay(users);
    EXPECT_NEAR(used(users, delay), 1, 1e-5);
    EXPECT_GT(1 + 0.9 * delay, 1.5);
    EXPECT_LT(1 + 0.01 * delay, 1.02);
}

TEST(UnitDelay, stands_users_of_no_demand_and_very_many) {
    const std::vector<UnitUsers> users{{1'000'000, 0.5}, {3, 0}};
    EXPECT_NEAR(used(users, unit_delay(users)), 1, 1e-5);
}

TEST(SpeedBetween, adds_the_wait_for_a_free_slot_to_each_instruction) {
    EXPECT_DOUBLE_EQ(speed_between(0, 4), 1);
    // Half of the slots are taken: one cycle more for each instruction.
    EXPECT_DOUBLE_EQ(speed_between(0.5, 4), 0.8);
    EXPECT_DOUBLE_EQ(speed_between(0.75, 4), 4.0 / 7);
    EXPECT_GT(speed_between(1.5, 4), 0);
    EXPECT_DOUBLE_EQ(speed_between(0.9, 0), 1);  // nothing is known of its warps
}

TEST(Barriers, blocks_are_found_at_their_scheduler_as_mean_value_analysis_says) {
    EXPECT_DOUBLE_EQ(blocks_at_scheduler(0.5, 0), 0);
    EXPECT_DOUBLE_EQ(blocks_at_scheduler(0.5, 1), 0.5);
    // The second finds half a block there: 0.75 of a cycle of 1.25, twice.
    EXPECT_DOUBLE_EQ(blocks_at_scheduler(0.5, 2), 1.2);
    EXPECT_DOUBLE_EQ(blocks_at_scheduler(0.5, 1.5), 0.85);
    EXPECT_DOUBLE_EQ(blocks_at_scheduler(1, 3), 3);  // never anywhere else
}

TEST(Barriers, a_block_waits_for_the_slowest_of_four_schedulers) {
    EXPECT_DOUBLE_EQ(slowed_at_barriers(0.24, 0.5, 1), 1.25);
    EXPECT_DOUBLE_EQ(slowed_at_barriers(0.24, 0.5, 0.1), 1.1);  // no longer than others are busy
    EXPECT_DOUBLE_EQ(slowed_at_barriers(0, 0.5, 1), 1);
}

}  // namespace
}  // namespace overcast
