#include "model/kernel_concurrency.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

double used(const std::vector<UnitUsers>& users, double wait) {
    double sum = 0;
    for (const auto& user : users) {
        sum += user.count * user.demand / (1 + user.waits * wait);
    }
    return sum;
}

TEST(UnitWait, is_nothing_where_there_is_enough_for_all) {
    EXPECT_EQ(unit_wait(std::vector<UnitUsers>{{2, 0.3, 1}, {1, 0.4, 1}}), 0);
    EXPECT_EQ(unit_wait({}), 0);
}

TEST(UnitWait, slows_equal_users_by_the_sum_of_their_demands) {
    // Four times 0.5: 1 + 0.25 w = 2, or 1 + w = 2.
    EXPECT_NEAR(unit_wait(std::vector<UnitUsers>{{4, 0.5, 0.25}}), 4, 1e-5);
    EXPECT_NEAR(unit_wait(std::vector<UnitUsers>{{1, 0.5, 1}, {3, 0.5, 1}}), 1, 1e-5);
}

TEST(UnitWait, is_as_long_for_who_asks_for_little_as_for_who_asks_for_much) {
    // Chains of loads, and streams that ask for sixteen times as much at once: both take twice as
    // long. Whoever waits for a tenth of its time takes 1.1 times as long.
    const std::vector<UnitUsers> users{{10, 0.01, 1}, {10, 0.16, 1}, {1, 0.33, 0.1}};
    const auto wait = unit_wait(users);
    EXPECT_NEAR(used(users, wait), 1, 1e-5);
    EXPECT_NEAR(wait, 1.393, 0.001);
}

TEST(UnitWait, stands_users_of_no_demand_and_very_many) {
    const std::vector<UnitUsers> users{{1'000'000, 0.5, 0.5}, {3, 0, 0}};
    EXPECT_NEAR(used(users, unit_wait(users)), 1, 1e-5);
    EXPECT_EQ(unit_wait(std::vector<UnitUsers>{{3, 0.5, 0}}), 0);  // nobody would give way
}

TEST(UnitWait, begins_before_the_unit_is_full) {
    const std::vector<UnitUsers> users{{5, 0.1, 0.8}, {10, 0.01, 1}};
    const auto wait = unit_wait(users, 0.5);
    EXPECT_NEAR(wait, grown(0.5, used(users, wait)), 1e-5);
    EXPECT_NEAR(wait, 0.055, 0.001);
    // Where more is asked for than there is, what is longer: here, until all is used.
    const std::vector<UnitUsers> many{{30, 0.1, 1}};
    EXPECT_NEAR(unit_wait(many, 0.5), 2, 1e-5);
    EXPECT_GT(unit_wait(many, 5), 2);
}

TEST(SpeedBetween, adds_the_wait_for_a_free_slot_to_each_instruction) {
    EXPECT_DOUBLE_EQ(speed_between(0, 0.25), 1);
    // Half of the slots are taken: one cycle more for each instruction.
    EXPECT_DOUBLE_EQ(speed_between(0.5, 0.25), 0.8);
    EXPECT_DOUBLE_EQ(speed_between(0.75, 0.25), 4.0 / 7);
    EXPECT_GT(speed_between(1.5, 0.25), 0);
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
