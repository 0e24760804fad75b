#include "model/l2_retention.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace overcast {
namespace {

constexpr double kCapacity = 100;
constexpr L2Room kRoom{kCapacity};

TEST(L2Retention, keeps_everything_while_nobody_brings_anything_in) {
    std::array users{CacheUser{40, 10}, CacheUser{60, 1}};
    share_l2(users, kRoom);
    EXPECT_DOUBLE_EQ(users[0].kept, 1);
    EXPECT_DOUBLE_EQ(users[1].kept, 1);
}

TEST(L2Retention, is_the_shorter_the_later_data_is_looked_up_again) {
    // Beside a stream of 1 byte per ns, of 20 bytes that are looked up every 10 ns most stay: with
    // what is brought in again all room is used once in 64 ns. Those that wait for 200 ns are gone.
    // Within 10 ns nothing is lost.
    std::array users{CacheUser{20, 2}, CacheUser{0, 0, 1}};
    share_l2(users, kRoom);
    EXPECT_NEAR(users[0].kept, std::exp(-10 / 64.3), 0.01);
    users = {CacheUser{20, 0.1}, CacheUser{0, 0, 1}};
    share_l2(users, kRoom);
    EXPECT_LT(users[0].kept, 0.15);
    users = {CacheUser{20, 2}, CacheUser{0, 0, 1}};
    share_l2(users, {kCapacity, 10});
    EXPECT_DOUBLE_EQ(users[0].kept, 1);
}

TEST(L2Retention, in_order_is_found_late_once_enough_has_been_brought_in) {
    const auto late = [](double lookups, bool at_random = false) {
        std::array users{CacheUser{20, lookups, 0, at_random}, CacheUser{0, 0, 1}};
        share_l2(users, {kCapacity, 100, 10});
        return users[0].late;
    };
    EXPECT_DOUBLE_EQ(late(2), 0) << "10 bytes come in before it is looked up again";
    EXPECT_NEAR(late(20 / 11.25), 0.5, 1e-9);
    EXPECT_DOUBLE_EQ(late(1), 1);
    EXPECT_DOUBLE_EQ(late(1, true), 0);
}

TEST(L2Retention, solves_what_the_users_lose_and_bring_in_again_together) {
    std::array users{CacheUser{30, 0.5}, CacheUser{0, 0, 0.8}};
    share_l2(users, kRoom);
    const auto kept = users[0].kept;
    ASSERT_GT(kept, 0.15);
    ASSERT_LT(kept, 0.85);
    // Every 60 ns; T until the room beside what is kept has been used once more.
    const auto time = (kCapacity - 30 * kept) / (0.8 + (1 - kept) * 0.5);
    EXPECT_NEAR(kept, std::exp(-60 / time), 0.001);
}

TEST(L2Retention, of_data_that_does_not_fit_together_is_no_more_than_has_room) {
    std::array users{CacheUser{80, 1}, CacheUser{80, 1}};
    share_l2(users, kRoom);
    EXPECT_LE(users[0].kept * 80 + users[1].kept * 80, kCapacity);
    EXPECT_NEAR(users[0].kept, users[1].kept, 1e-9);
}

TEST(L2Retention, takes_nothing_from_those_that_use_nothing_again) {
    std::array users{CacheUser{80, 1}, CacheUser{80, 1}, CacheUser{0, 5, 1}};
    share_l2(users, kRoom);
    EXPECT_LT(users[0].kept, 1);
    EXPECT_DOUBLE_EQ(users[2].kept, 1);
}

TEST(L2Retention, makes_a_warp_wait_for_the_slowest_of_its_requests) {
    EXPECT_DOUBLE_EQ(share_of_late(0.75, 1), 0.25);
    EXPECT_DOUBLE_EQ(share_of_late(0.75, 2), 1 - 0.75 * 0.75);
    EXPECT_DOUBLE_EQ(share_of_late(1, 32), 0);
}

TEST(L2Retention, of_what_is_looked_up_at_random_each_is_used_again_sooner_or_later) {
    // 20 bytes, of which each is looked up every 20 or 200 ns in the mean, beside 1 byte per ns.
    // What is brought in again takes no room of others.
    for (const double again : {20.0, 200.0}) {
        std::array users{CacheUser{20, 20 / again, 0, true}, CacheUser{0, 0, 1}};
        share_l2(users, kRoom);
        const auto kept = users[0].kept;
        EXPECT_NEAR(kept, 1 - std::exp(-(kCapacity - 20 * kept) / again), 0.001);
        EXPECT_NEAR(l2_capacity({20, 20 / again, 1, true, kept}), kCapacity, 0.1);
    }
}

TEST(L2Retention, at_random_keeps_what_has_room_where_data_does_not_fit) {
    std::array users{CacheUser{80, 1, 0, true}, CacheUser{80, 4, 0, true}};
    share_l2(users, kRoom);
    EXPECT_NEAR(users[0].kept * 80 + users[1].kept * 80, kCapacity, 0.2);
    EXPECT_LT(users[0].kept, users[1].kept);
}

TEST(L2Retention, counts_half_of_what_is_written) {
    EXPECT_DOUBLE_EQ(brought_in(3, 0), 3);
    EXPECT_DOUBLE_EQ(brought_in(3, 2), 2);
}

TEST(L2Retention, what_a_request_keeps_makes_a_warp_of_several_late_as_often) {
    for (const double kept : {0.1, 0.8, 0.97}) {
        EXPECT_NEAR(kept_of_late(share_of_late(kept, 8), 8), kept, 1e-9);
    }
}

}  // namespace
}  // namespace overcast
