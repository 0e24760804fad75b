#include "model/unit_demand.hpp"
#include "tests/support/counters.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace overcast {
namespace {

using test::counters;
using test::kSms;

TEST(UnitDemand, a_warp_whose_load_has_come_issues_until_it_waits_for_its_last_instruction) {
    UnitCapacities capacities;
    capacities.burst = 1.5;
    const auto rest = [&](double waits, double issued = 0.2) {  // every ten cycles
        return unit_demand(counters({{KernelCounter::warps_per_sm, 8},
                                     {KernelCounter::issue_slots, issued},
                                     {KernelCounter::stalled_by_dependency, waits}}),
                           256, kSms, capacities)
            ->rest_of_run;
    };
    EXPECT_DOUBLE_EQ(rest(4), 0);  // each waits for the one before
    EXPECT_DOUBLE_EQ(rest(2), 1);
    EXPECT_DOUBLE_EQ(rest(1), 3);
    EXPECT_DOUBLE_EQ(rest(0), 9);
    EXPECT_DOUBLE_EQ(rest(2, 0.5), 0);  // every four cycles: it waits for no loads
    capacities.burst = 0;
    EXPECT_DOUBLE_EQ(rest(1), 0);  // warps take turns
}

TEST(UnitDemand, is_the_share_of_the_reachable_divided_by_the_resident_blocks) {
    // 16 warps are two blocks of 256 threads; they use 0.38 of the 0.95 that can be had: 0.4, 0.2
    // each.
    const auto demand =
        unit_demand(counters({{KernelCounter::warps_per_sm, 16}, {KernelCounter::alu_pipe, 0.38}}),
                    256, kSms, {});
    ASSERT_TRUE(demand);
    EXPECT_DOUBLE_EQ(demand->sm[static_cast<std::size_t>(SmUnit::alu_pipe)], 0.2);
    EXPECT_DOUBLE_EQ(demand->most_of_sm(), 0.2);
    EXPECT_DOUBLE_EQ(demand->most_of_device(), 0);
}

TEST(UnitDemand, on_the_device_counts_the_blocks_of_all_sms_for_the_time_that_they_are_there) {
    // One block of 256 threads on every second of 132 SMs: 66 blocks share 0.475 / 0.95 = 0.5.
    auto kernel = counters({{KernelCounter::warps_per_sm, 8}, {KernelCounter::dram, 0.475}});
    kernel.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 0.5;
    const auto demand = unit_demand(kernel, 256, kSms, {});
    ASSERT_TRUE(demand);
    EXPECT_DOUBLE_EQ(demand->most_of_device(), 0.5 / 66);
}

TEST(UnitDemand, of_a_crowded_sm_leaves_out_what_blocks_wait_for_each_other) {
    // 32 warps, 8 per scheduler; all issue slots used (0.95 of 0.95): 8 / 0.95 = 8.42 warps stand
    // around an instruction, 6.42 of them ready. Alone a block would wait for 2 warps' worth: 4.21
    // times as fast. Four blocks of 256 threads: 4.21 / 4 = 1.05 each.
    const auto demand = unit_demand(counters({{KernelCounter::warps_per_sm, 32},
                                              {KernelCounter::issue_slots, 0.95},
                                              {KernelCounter::stalled_by_other_warp, 6.42105}}),
                                    256, kSms, {});
    ASSERT_TRUE(demand);
    EXPECT_NEAR(demand->most_of_sm(), 1.0526, 0.001);
}

TEST(UnitDemand, of_blocks_that_end_one_after_the_other_knows_that_the_sm_was_crowded) {
    // 24 warps in the mean: three blocks of 256 threads of the five that the SM held at first, when
    // the ALU was full, 0.6 of it in the mean. 10 warps around an instruction, 5 wait for others.
    const auto used = counters({{KernelCounter::warps_per_sm, 24},
                                {KernelCounter::issue_slots, 0.6},
                                {KernelCounter::alu_pipe, 0.6},
                                {KernelCounter::stalled_by_math_pipe, 5}});
    const auto of_alu = [&](double at_once) {
        const auto demand = unit_demand(used, 256, kSms, {}, 0, {}, {at_once, 0});
        return demand->sm[static_cast<std::size_t>(SmUnit::alu_pipe)];
    };
    EXPECT_DOUBLE_EQ(of_alu(5), 2 * 0.6 / 0.95 / 3);
    EXPECT_DOUBLE_EQ(of_alu(3), 0.6 / 0.95 / 3);
    EXPECT_DOUBLE_EQ(of_alu(0), 0.6 / 0.95 / 3);
}

TEST(UnitDemand, of_an_sm_with_room_leaves_out_only_waits_for_warps_of_other_blocks) {
    // At 0.475 of the slots, half of what can be had, nothing is crowded: 8 / 0.475 = 16.84 warps
    // around an instruction. Of the 3 that stand back for another warp, three of four blocks.
    const auto demand = unit_demand(counters({{KernelCounter::warps_per_sm, 32},
                                              {KernelCounter::issue_slots, 0.475},
                                              {KernelCounter::stalled_by_other_warp, 3}}),
                                    256, kSms, {});
    ASSERT_TRUE(demand);
    EXPECT_NEAR(demand->most_of_sm(), 0.125 * 16.842 / (16.842 - 2.25), 1e-5);
    EXPECT_NEAR(demand->interval, 16.842 - 3, 1e-3);
}

TEST(UnitDemand, holds_the_scheduler_for_longer_the_sooner_a_warp_is_ready_again) {
    UnitCapacities capacities;
    capacities.burst = 1.5;
    const auto burst = [&](double issue, double waiting) {
        return unit_demand(counters({{KernelCounter::warps_per_sm, 8},
                                     {KernelCounter::issue_slots, issue},
                                     {KernelCounter::stalled_by_other_warp, waiting}}),
                           256, kSms, capacities)
            ->burst;
    };
    // Two warps per scheduler. An instruction every four cycles each; every 1.25, were it alone.
    EXPECT_DOUBLE_EQ(burst(0.5, 0), 1 + 1.5 / 3);
    EXPECT_DOUBLE_EQ(burst(1, 0.75), 1 + 1.5 / 0.25);
    EXPECT_DOUBLE_EQ(
        unit_demand(counters({{KernelCounter::warps_per_sm, 8}}), 256, kSms, {})->burst, 1);
}

/// Loops of independent multiply-adds, 16 to 260 instructions long, as counted on an H200, and with
/// integers between or three in a row.
TEST(UnitDemand, tells_warps_that_wait_at_the_end_of_their_loop_alone) {
    const auto ready = [](double cycles, std::optional<double> dependency,
                          std::optional<double> branch) {
        auto kernel =
            counters({{KernelCounter::warps_per_sm, 4}, {KernelCounter::issue_slots, 1 / cycles}});
        kernel.values[static_cast<std::size_t>(KernelCounter::stalled_by_dependency)] = dependency;
        kernel.values[static_cast<std::size_t>(KernelCounter::stalled_by_branch)] = branch;
        return unit_demand(kernel, 128, kSms, {})->always_ready;
    };
    EXPECT_TRUE(ready(1.65, 0.22, 0.16));
    EXPECT_TRUE(ready(1.05, 0.02, 0.01));
    EXPECT_FALSE(ready(1.28, 0.15, 0.02));
    EXPECT_FALSE(ready(1.40, 0.33, 0.03));
    EXPECT_FALSE(ready(30, 0.05, 0.04));  // it waits for memory
    EXPECT_FALSE(ready(1.05, std::nullopt, std::nullopt));
}

TEST(UnitDemand, needs_to_know_how_many_warps_were_resident) {
    EXPECT_FALSE(unit_demand(counters({{KernelCounter::alu_pipe, 0.5}}), 256, kSms, {}));
}

/// Speed of blocks that together ask for `load` of a unit of their SM.
double shared_speed(double load) { return 1 / std::max(1.0, load); }

/// Counters of one kernel of blocks of 256 threads, and its times, on an H200 (132 SMs).
struct Class {
    std::string name;
    SmUnit unit;
    double capacity;            ///< of that unit, from the same machine
    double share;               ///< of it at one block per SM
    double issue;               ///< share of the issue slots at one block per SM
    double waiting;             ///< ready warps that wait, at one block per SM
    std::vector<double> times;  ///< us, with 1, 2, 4, 6, 8 blocks per SM
};

std::vector<Class> classes() {
    return {
        {"one chain of multiply-adds",
         SmUnit::issue_slots,
         0.97,
         0.527,
         0.527,
         0.041,
         {228.5, 276.7, 534.3, 781.0, 1023.7}},
        {"four chains",
         SmUnit::issue_slots,
         0.97,
         0.924,
         0.924,
         0.912,
         {233.1, 447.2, 888.5, 1329.0, 1768.6}},
        {"sines", SmUnit::xu_pipe, 0.957, 0.699, 0.191, 0, {289.8, 427.2, 849.8, 1272.1, 1694.2}},
        {"integers",
         SmUnit::alu_pipe,
         0.94,
         0.574,
         0.443,
         0,
         {370.9, 489.6, 931.0, 1357.1, 1777.9}},
        {"shared memory",
         SmUnit::issue_slots,
         0.97,
         0.641,
         0.641,
         0.507,
         {163.7, 242.4, 472.7, 694.4, 916.4}},
        {"double precision",
         SmUnit::fp64_pipe,
         0.86,
         0.447,
         0.294,
         0.059,
         {113.8, 122.0, 243.7, 360.1, 472.9}},
        {"matrices",
         SmUnit::tensor_pipe,
         0.89,
         0.479,
         0.205,
         0.024,
         {141.3, 151.3, 304.7, 454.7, 601.9}}};
}

TEST(UnitDemand, of_one_block_per_sm_foretells_how_more_of_them_slow_each_other_down) {
    constexpr std::array kPerSm{1.0, 2.0, 4.0, 6.0, 8.0};
    for (const auto& each : classes()) {
        UnitCapacities capacities;
        capacities[SmUnit::issue_slots] = 0.97;
        capacities[each.unit] = each.capacity;
        const auto demand =
            unit_demand(counters({{KernelCounter::warps_per_sm, 8},
                                  {KernelCounter::issue_slots, each.issue},
                                  {counter_of(each.unit), each.share},
                                  {KernelCounter::stalled_by_other_warp, each.waiting}}),
                        256, kSms, capacities);
        ASSERT_TRUE(demand);
        const auto alone = shared_speed(demand->most_of_sm());
        for (std::size_t i = 0; i < kPerSm.size(); ++i) {
            const auto predicted = alone / shared_speed(kPerSm[i] * demand->most_of_sm());
            const auto measured = each.times[i] / each.times[0];
            EXPECT_NEAR(predicted / measured, 1, 0.15) << each.name << ", " << kPerSm[i];
        }
    }
}

/// Counters of a reduction in blocks of 512 threads, read with ncu on an H200 with one to four of
/// them on each SM (`market_work`, 132 to 528 products, 2026-11-23).
KernelCounters reduction(double warps, double issued, double at_barrier, double not_chosen) {
    return counters({{KernelCounter::warps_per_sm, warps},
                     {KernelCounter::issue_slots, issued},
                     {KernelCounter::stalled_by_barrier, at_barrier},
                     {KernelCounter::stalled_by_other_warp, not_chosen}});
}

TEST(UnitDemand, blocks_that_met_at_barriers_ask_for_the_same_however_many_were_there) {
    const auto busy = [](const KernelCounters& kernel) {
        return unit_demand(kernel, 512, kSms, {})->busy_between_barriers;
    };
    EXPECT_DOUBLE_EQ(busy(reduction(16, 0.1718, 14.78, 0.27)), 0.1718);
    EXPECT_NEAR(busy(reduction(31.75, 0.3226, 15.75, 0.48)), 0.1718, 0.004);
    EXPECT_NEAR(busy(reduction(46.9, 0.45, 16.69, 0.76)), 0.1718, 0.004);
    EXPECT_NEAR(busy(reduction(61.28, 0.5525, 17.75, 1.15)), 0.1718, 0.009);
    EXPECT_DOUBLE_EQ(busy(reduction(16, 0.1718, 2, 0.27)), 0);  // of 23 warps
}

}  // namespace
}  // namespace overcast
