#include "model/l2_halves.hpp"

#include "model/device_model.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

/// From one half 100 ns up to 30 bytes, 200 from 40; from both halves 100 up to 40, 300 from 50.
L2Halves halves() {
    L2Halves made;
    made.ns_in_one = Curve{{{30, 100}, {40, 200}, {70, 200}, {80, 300}}};
    made.ns_in_both = Curve{{{30, 100}, {40, 100}, {50, 300}, {80, 300}}};
    made.both_by_sms = Curve{{{8, 0}, {12, 1}}};
    return made;
}

DeviceModel model() {
    DeviceModel made;
    made.kernels.l2_halves = halves();
    made.kernels.capacities.l2_latency_ns = 100;
    made.kernels.capacities.dram_latency = 3;
    return made;
}

/// Waits for loads for half of its time, where they take 100 ns.
UnitDemand waits_half() {
    UnitDemand units;
    units.l2_waits = 0.5;
    units.l2_hit_rate = 1;
    return units;
}

TEST(L2Halves, is_shared_by_both_from_so_many_sms_on) {
    EXPECT_DOUBLE_EQ(halves().load_ns(Bytes{60}, 2), 200);
    EXPECT_DOUBLE_EQ(halves().load_ns(Bytes{60}, 8), 200);
    EXPECT_DOUBLE_EQ(halves().load_ns(Bytes{60}, 10), 250);
    EXPECT_DOUBLE_EQ(halves().load_ns(Bytes{60}, 132), 300);
}

TEST(L2Halves, is_felt_where_one_and_both_differ_or_other_bytes_go_round) {
    EXPECT_TRUE(halves().felt(Bytes{60}, Bytes{60}));
    EXPECT_FALSE(halves().felt(Bytes{20}, Bytes{20}));
    EXPECT_FALSE(halves().felt(Bytes{90}, Bytes{180}));
    EXPECT_TRUE(halves().felt(Bytes{20}, Bytes{40}));
    EXPECT_FALSE(halves().felt(Bytes{20}, Bytes{25}));
}

TEST(L2Halves, slows_a_kernel_by_its_share_of_waits) {
    // Recorded in one half with loads of 200 ns: 0.5 + 0.5 * 2 = 1.5 of what it takes with 100. In
    // both, 300 ns: 0.5 + 0.5 * 3 = 2.
    const auto found = slow_down_of_round(waits_half(), model(), Bytes{60}, 2, Bytes{60});
    EXPECT_DOUBLE_EQ(found.in_one, 1);
    EXPECT_DOUBLE_EQ(found.in_both, 2 / 1.5);
    EXPECT_TRUE(found.felt());
}

TEST(L2Halves, makes_a_kernel_faster_whose_data_both_hold_and_one_does_not) {
    EXPECT_DOUBLE_EQ(slow_down_of_round(waits_half(), model(), Bytes{40}, 2, Bytes{40}).in_both,
                     1 / 1.5);
}

TEST(L2Halves, was_recorded_where_its_blocks_ran) {
    // On all SMs: with loads of 300 ns.
    const auto found = slow_down_of_round(waits_half(), model(), Bytes{60}, 132, Bytes{60});
    EXPECT_DOUBLE_EQ(found.in_one, 1.5 / 2);
    EXPECT_DOUBLE_EQ(found.in_both, 1);
}

TEST(L2Halves, of_several_replicas_goes_round_the_memory_of_all) {
    const auto found = slow_down_of_round(waits_half(), model(), Bytes{20}, 2, Bytes{60});
    EXPECT_DOUBLE_EQ(found.in_one, 1.5);
    EXPECT_DOUBLE_EQ(found.in_both, 2);
}

TEST(L2Halves, of_a_round_are_all_that_others_look_up_meanwhile_but_no_more_than_they_have) {
    // The first comes back after 10 ns, the second after 2, the last never.
    const std::vector<RoundUser> users{{20, 2}, {30, 15}, {0, 1}};
    EXPECT_DOUBLE_EQ(bytes_of_round(users, 0), 20 + 30 + 10);
    EXPECT_DOUBLE_EQ(bytes_of_round(users, 1), 30 + 4 + 2);
}

TEST(L2Halves, changes_nothing_where_it_was_not_measured_or_no_load_is_waited_for) {
    auto unmeasured = model();
    unmeasured.kernels.l2_halves = {};
    EXPECT_FALSE(slow_down_of_round(waits_half(), unmeasured, Bytes{60}, 2, Bytes{60}).felt());
    EXPECT_FALSE(slow_down_of_round({}, model(), Bytes{60}, 2, Bytes{60}).felt());
}

}  // namespace
}  // namespace overcast
