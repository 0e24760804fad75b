#include "simulator/kernels/sm_sharing.hpp"

#include "tests/support/sm_residents.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

using test::asks_for;
using test::block_of;
using test::model_of_whole_units;
using test::speeds_of;

TEST(SmSharing, the_oldest_gets_what_it_asks_for_and_others_what_is_left) {
    EXPECT_EQ(speeds_of({asks_for(SmUnit::xu_pipe, 0.75), asks_for(SmUnit::xu_pipe, 0.5)}),
              (std::vector{1.0, 0.5}));
}

TEST(SmSharing, whoever_needs_another_unit_runs_as_if_alone) {
    EXPECT_EQ(speeds_of({asks_for(SmUnit::xu_pipe, 0.75), asks_for(SmUnit::fp64_pipe, 0.75)}),
              (std::vector{1.0, 1.0}));
}

TEST(SmSharing, by_load_who_comes_later_changes_nothing_for_those_before) {
    std::vector<KernelDemand> demands;
    for (const double load : {0.3, 0.6, 0.4, 0.2, 0.5}) {
        demands.push_back(asks_for(SmUnit::issue_slots, load));
        demands.back().counted = false;
        demands.back().function = static_cast<std::uint32_t>(demands.size() % 2);
    }
    SmSharing sharing{model_of_whole_units(), demands, Rules{}};
    SmGroup group;
    for (std::uint32_t i = 0; i < demands.size(); ++i) {
        group.residents.push_back(block_of(i, demands[i]));
        sharing.share(group);
        const auto at_once = speeds_of(demands, i + 1);
        for (std::uint32_t j = 0; j <= i; ++j) {
            EXPECT_EQ(group.residents[j].speed_on_sm, at_once[j]) << j << " of " << i;
        }
    }
    // The oldest leaves; all others stand elsewhere.
    group.residents.erase(group.residents.begin());
    group.settled = 0;
    sharing.share(group);
    EXPECT_EQ(group.residents[0].speed_on_sm, 1);
}

/// Reads shared memory every 100 ns, and asks for so much of its data path.
KernelDemand reader(double share) {
    auto demand = asks_for(SmUnit::l1, share);
    demand.units.queue.reads_per_ns = 0.01;
    demand.traits = kUsesL1;
    return demand;
}

/// Wants 20,000 bytes more on their way than hold nobody up (the L1 and 8 KiB), for each of which
/// others wait 5 ps.
KernelDemand loader(double share) {
    auto demand = asks_for(SmUnit::l1, share);
    demand.units.queue = {(256 + 8) * 1024 + 20'000, 0.005, 300, 0.01};
    demand.traits = kFillsQueue;
    return demand;
}

TEST(SmSharing, reads_of_shared_memory_wait_behind_half_of_the_loads_that_find_no_line) {
    EXPECT_EQ(speeds_of({reader(0.2), loader(0.2)}), (std::vector{0.5, 1.0}));
    EXPECT_EQ(speeds_of({loader(0.2), reader(0.2)}), (std::vector{1.0, 0.5}));
    EXPECT_EQ(speeds_of({reader(0.2), reader(0.2)}), (std::vector{1.0, 1.0}));
    // What the queue has room for: 300 ns.
    EXPECT_EQ(speeds_of({reader(0.2), loader(0.1), loader(0.1)}), (std::vector{0.25, 1.0, 1.0}));
    // Where the SM is full, too; what they then leave of it is for the others.
    EXPECT_EQ(speeds_of({reader(0.8), loader(0.6)}), (std::vector{0.5, 1.0}));
}

TEST(SmSharing, what_loads_bring_takes_the_l1_before_reads_of_shared_memory) {
    auto loads = asks_for(SmUnit::l1, 0.2);
    loads.units.l2_waits = 1;
    loads.traits = kLoads | kUsesL1;
    EXPECT_EQ(speeds_of({reader(0.2), loads}), (std::vector{0.8, 1.0})) << "there is room for both";
    EXPECT_EQ(speeds_of({loads, reader(0.2)}), (std::vector{1.0, 0.8}));
    EXPECT_EQ(speeds_of({reader(0.2), asks_for(SmUnit::alu_pipe, 0.2)}), (std::vector{1.0, 1.0}));
    EXPECT_EQ(speeds_of({loads, loads}), (std::vector{1.0, 1.0}));
    loads.speed_on_device = 0.5;
    EXPECT_DOUBLE_EQ(speeds_of({reader(0.2), loads})[0], 0.9) << "they bring half as much";
    loads.units.held_by_path = 1.5;
    EXPECT_DOUBLE_EQ(speeds_of({reader(0.2), loads})[0], 1 - 0.2 * 0.75)
        << "than 1.5 times as fast";
    loads.units.held_by_path = 3;
    EXPECT_DOUBLE_EQ(speeds_of({reader(0.2), loads})[0], 0.8) << "no more than the SM gets";

    Rules rules;
    rules.switch_off(Rule::load_returns);
    EXPECT_EQ(speeds_of({reader(0.2), loads}, 2, rules), (std::vector{1.0, 1.0}));
}

TEST(SmSharing, loads_wait_behind_the_reads_of_shared_memory_that_fill_the_l1) {
    auto model = model_of_whole_units();
    model.device.core_clock_khz = 1'000'000;
    model.kernels.capacities.l2_latency_ns = 200;
    model.kernels.scheduler.shared_latency = 30;
    auto reads = reader(1);
    reads.units.queue.cycles_of_reads = 130;
    auto chain = asks_for(SmUnit::l1, 0);
    chain.units.l2_waits = 1;
    chain.traits = kLoads;
    const auto speed_beside = [&](const KernelDemand& other) {
        return speeds_of({chain, other}, 2, {}, model)[0];
    };
    EXPECT_DOUBLE_EQ(speed_beside(reads), 200.0 / (200 + 100));
    reads.units.sm[static_cast<std::size_t>(SmUnit::l1)] = 0.9;
    EXPECT_NEAR(speed_beside(reads), 200.0 / (200 + 50), 1e-9) << "seldom full";
    reads.units.sm[static_cast<std::size_t>(SmUnit::l1)] = 0.8;
    EXPECT_EQ(speed_beside(reads), 1);
}

TEST(SmSharing, the_way_back_from_the_l2_is_as_wide_as_the_l1_has_lines_for_its_time) {
    auto model = model_of_whole_units();
    model.kernels.l2_path_l1_bytes = 56 * 1024;  // twice what is left
    const auto speed = [&](double received, double sent, double latencies = 1) {
        auto demand = asks_for(SmUnit::l1, 0.1);
        demand.units.line_latencies = latencies;
        demand.units.l2_path = received;
        demand.units.l2_path_sent = sent;
        const std::vector demands{demand};
        SmSharing sharing{model, demands, {}};
        SmGroup group;
        group.carve_out = 228 * 1024;
        group.residents = {block_of(0, demands[0])};
        sharing.share(group);
        return group.residents[0].speed_on_sm;
    };
    EXPECT_NEAR(speed(0.8, 0.1), 1 / 1.6, 1e-9);
    EXPECT_NEAR(speed(0.1, 0.8), 1, 1e-9);
    EXPECT_NEAR(speed(0.1, 1.6), 1 / 1.6, 1e-9);
    EXPECT_NEAR(speed(0.8, 0.1, 1.5), 1 / 2.4, 1e-9);
}

TEST(SmSharing, what_a_warp_that_never_waits_leaves_at_the_end_of_its_loop_others_find) {
    auto model = model_of_whole_units();
    model.kernels.capacities[SmUnit::issue_slots] = 0.95;  // the rest is not to be had else
    auto ready = asks_for(SmUnit::issue_slots, 0.92 / 0.95);
    ready.units.always_ready = true;
    ready.units.interval = 1 / 0.92;
    auto few = asks_for(SmUnit::issue_slots, 0.1 / 0.95);
    few.units.share_beyond_capacity = 0;
    const auto speed_beside = [&](std::uint32_t warps) {
        ready.per_block.threads = warps * 128;
        return speeds_of({few, ready}, 2, {}, model)[0];
    };
    EXPECT_NEAR(speed_beside(1), 0.08 / 0.1, 1e-9);
    EXPECT_LT(speed_beside(2), 0.01) << "the other warp goes on meanwhile";
}

TEST(SmSharing, many_warps_that_read_keep_their_places_in_the_queue) {
    auto many = reader(0.6);
    many.per_block.threads = 6 * 128;
    const auto speeds = speeds_of({many, loader(0.6)});
    EXPECT_EQ(speeds[0], 1);
    EXPECT_NEAR(speeds[1], 0.4 / 0.6, 1e-12);
}

TEST(SmSharing, runs_of_older_and_of_younger_warps_hold_up_others_alike) {
    auto loads = asks_for(SmUnit::issue_slots, 0.25);
    loads.pace = 0.05;
    loads.units.rest_of_run = 3;
    loads.traits = kHoldsScheduler;
    auto other = asks_for(SmUnit::issue_slots, 0.25);
    other.pace = 0.2;
    const std::vector demands{loads, other};
    Rules rules;
    rules.switch_off(Rule::slot_waits);
    SmSharing sharing{model_of_whole_units(), demands, rules};
    const auto speed_of_other = [&](std::uint32_t oldest) {
        SmGroup group;
        group.residents = {block_of(oldest, demands[oldest]),
                           block_of(1 - oldest, demands[1 - oldest])};
        sharing.share(group);
        return group.residents[1 - oldest].speed_on_sm;
    };
    EXPECT_LT(speed_of_other(0), 0.9);
    EXPECT_DOUBLE_EQ(speed_of_other(0), speed_of_other(1));
}

TEST(SmSharing, warps_in_the_queue_to_the_xu_are_not_ready_for_a_slot) {
    auto younger = asks_for(SmUnit::issue_slots, 0.5);
    younger.units.burst = 20;
    const auto speed = [&](SmUnit pipe) {  // of two blocks that ask for 1.4 of the slots
        auto older = asks_for(pipe, 0.75);
        older.units.sm[static_cast<std::size_t>(SmUnit::issue_slots)] = 0.7;
        const std::vector demands{older, younger};
        SmSharing sharing{model_of_whole_units(), demands, Rules{}};
        SmGroup group;
        group.residents = {block_of(0, demands[0]), block_of(1, demands[1])};
        group.residents[0].per_sm = 2;
        sharing.share(group);
        return group.residents[0].speed_on_sm;
    };
    EXPECT_DOUBLE_EQ(speed(SmUnit::fp64_pipe), 1 / 1.5) << "somebody always is";
    EXPECT_LT(speed(SmUnit::xu_pipe), 0.4) << "a burst holds them up";
}

TEST(SmSharing, blocks_that_the_device_slows_leave_more_of_their_sm) {
    auto streams = asks_for(SmUnit::alu_pipe, 0.8);
    streams.speed_on_device = 0.5;
    const auto younger = asks_for(SmUnit::alu_pipe, 0.8);
    EXPECT_EQ(speeds_of({streams, younger}), (std::vector{1.0, 0.6 / 0.8}));
    EXPECT_NEAR(speeds_of({younger, streams})[1], 0.2 / 0.8, 1e-12) << "asks for as much";
}

TEST(SmSharing, says_the_same_of_an_sm_whatever_it_was_asked_before) {
    auto waits = asks_for(SmUnit::issue_slots, 0.25);
    waits.pace = 0.05;
    waits.units.rest_of_run = 3;
    waits.traits = kHoldsScheduler;
    const std::vector demands{waits, waits, asks_for(SmUnit::xu_pipe, 0.75)};
    SmSharing sharing{model_of_whole_units(), demands, Rules{}};
    SmGroup two;
    two.residents = {block_of(0, demands[0]), block_of(1, demands[1])};
    sharing.share(two);
    const auto speed = two.residents[0].speed_on_sm;
    EXPECT_LT(speed, 1);  // the younger one's runs hold it up
    SmGroup three;
    three.residents = {block_of(2, demands[2]), block_of(1, demands[1]), block_of(0, demands[0])};
    sharing.share(three);
    sharing.share(two);
    EXPECT_EQ(two.residents[0].speed_on_sm, speed);
}

/// A block of a function of which no counters tell.
KernelDemand uncounted(std::uint32_t function, double load) {
    auto demand = asks_for(SmUnit::issue_slots, load);
    demand.function = function;
    demand.counted = false;
    return demand;
}

TEST(SmSharing, kernels_without_counters_get_the_same_whether_some_other_has_them) {
    const std::vector<KernelDemand> residents{uncounted(0, 0.5), uncounted(1, 0.4),
                                              uncounted(0, 0.3), uncounted(2, 0.0),
                                              uncounted(1, 0.6), uncounted(2, 0.2)};
    auto and_one_that_is_elsewhere = residents;
    and_one_that_is_elsewhere.push_back(asks_for(SmUnit::alu_pipe, 0.1));

    const auto alone = speeds_of(residents, residents.size());
    const auto beside = speeds_of(and_one_that_is_elsewhere, residents.size());

    ASSERT_EQ(alone.size(), beside.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
        EXPECT_NEAR(alone[i], beside[i], 1e-12) << "resident " << i;
    }
    EXPECT_EQ(alone[0], 1);
    EXPECT_EQ(alone[3], 1) << "asks for nothing";
    EXPECT_LT(alone[4], 1);
}

}  // namespace
}  // namespace overcast
