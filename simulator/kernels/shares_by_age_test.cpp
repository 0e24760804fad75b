// Units whose queue prefers older blocks.
#include "simulator/kernels/sm_sharing.hpp"
#include "tests/support/sm_residents.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace overcast {
namespace {

using test::asks_for;
using test::block_of;
using test::model_of_whole_units;
using test::speeds_of;

TEST(SharesByAge, a_full_queue_to_memory_prefers_older_blocks_but_starves_none) {
    auto demand = asks_for(SmUnit::global_queue, 0.5);
    demand.units.order_on_sm = {.per_wait = 2};
    demand.units.queue_waiting = 0.5;
    const auto speeds = speeds_of({demand, demand, demand, demand});
    for (std::size_t i = 1; i < speeds.size(); ++i) {
        // A quarter more of them are older.
        EXPECT_NEAR(speeds[i] / speeds[i - 1], std::exp(-0.25), 1e-12);
    }
    // Of four that each could take half of the queue.
    EXPECT_NEAR(std::accumulate(speeds.begin(), speeds.end(), 0.0), 2, 1e-12);
}

TEST(SharesByAge, what_the_oldest_cannot_take_of_the_queue_is_for_the_others) {
    auto demand = asks_for(SmUnit::global_queue, 0.625);
    demand.units.order_on_sm = {.per_wait = 8};
    demand.units.queue_waiting = 1;
    const auto speeds = speeds_of({demand, demand});
    EXPECT_EQ(speeds[0], 1);
    EXPECT_NEAR(speeds[1], 0.375 / 0.625, 1e-12);
}

TEST(SharesByAge, a_queue_prefers_older_blocks_less_when_some_have_left) {
    auto demand = asks_for(SmUnit::global_queue, 0.75);
    demand.units.order_on_sm = {.per_wait = 4, .none_up_to = 0.25};
    demand.units.queue_waiting = 1;
    demand.units.queue_blocks = 4;
    const auto speeds = speeds_of({demand, demand});
    // 4 (1 / 2 - 1 / 4), and half of them are older.
    EXPECT_NEAR(speeds[1] / speeds[0], std::exp(-0.5), 1e-12);
}

/// Speeds of two blocks whose loads each hold 28 KiB of the L1, where so much is shared memory.
std::vector<double> of_two_that_load(std::uint32_t carve_out, double held = 28 * 1024) {
    auto demand = asks_for(SmUnit::lsu_pipe, 0.1);
    demand.units.held_in_l1 = held;
    const std::vector demands{demand, demand};
    SmSharing sharing{model_of_whole_units(), demands, Rules{}};
    SmGroup group;
    group.carve_out = carve_out;
    group.residents = {block_of(0, demands[0]), block_of(1, demands[1])};
    sharing.share(group);
    return {group.residents[0].speed_on_sm, group.residents[1].speed_on_sm};
}

TEST(SharesByAge, the_oldest_blocks_get_the_lines_of_an_l1_that_has_too_few) {
    const auto speeds = of_two_that_load(228 * 1024);
    // Half of what they load finds a line at once: 4 (0.5 - 0.15), and half of it is older.
    const auto younger = std::exp(-4 * 0.35 / 2);
    EXPECT_EQ(speeds[0], 1);
    EXPECT_NEAR(speeds[1], 2 * younger / (1 + younger), 1e-12);
    EXPECT_EQ(of_two_that_load(100 * 1024), (std::vector{1.0, 1.0}));
    EXPECT_EQ(of_two_that_load(228 * 1024, 16 * 1024), (std::vector{1.0, 1.0})) << "1.14 of it";
}

/// Of so many warps per scheduler, each of which alone asks for 0.2 of the way to shared memory.
KernelDemand reads_with(std::uint32_t warps) {
    auto demand = asks_for(SmUnit::l1, 0.2 * warps);
    demand.per_block.threads = 128 * warps;
    demand.traits = kUsesL1;
    return demand;
}

TEST(SharesByAge, the_more_warps_read_shared_memory_the_more_the_older_ones_are_preferred) {
    auto model = model_of_whole_units();
    model.kernels.capacities.shared_reads.warps_evenly = 5;
    model.kernels.capacities.shared_reads.order_per_warp = 0.5;
    const auto speeds = [&](std::uint32_t warps, const Rules& rules = {}) {
        const std::vector demands{reads_with(warps)};
        SmSharing sharing{model, demands, rules};
        SmGroup group;
        group.one_set_each = false;
        group.residents = {block_of(0, demands[0]), block_of(0, demands[0])};
        sharing.share(group);
        return std::vector{group.residents[0].speed_on_sm, group.residents[1].speed_on_sm};
    };
    EXPECT_NEAR(speeds(1)[1], 1, 1e-12) << "they ask for less than all";
    model.kernels.capacities.shared_reads.warps_evenly = 8;
    EXPECT_NEAR(speeds(4)[0], 1 / 1.6, 1e-12);
    EXPECT_NEAR(speeds(4)[1], 1 / 1.6, 1e-12);
    model.kernels.capacities.shared_reads.warps_evenly = 6;  // k = 0.5 (8 - 6)
    EXPECT_NEAR(speeds(4)[1] / speeds(4)[0], std::exp(-0.5), 1e-12) << "half of them are older";
    EXPECT_NEAR(speeds(4)[0] + speeds(4)[1], 1 / 0.8, 1e-12);
    Rules off;
    off.switch_off(Rule::memory_queue);
    EXPECT_NEAR(speeds(4, off)[0], 1, 1e-12);
    EXPECT_NEAR(speeds(4, off)[1], 0.2 / 0.8, 1e-12);
}

TEST(SharesByAge, the_oldest_readers_leave_others_no_more_than_the_rest) {
    auto model = model_of_whole_units();
    model.kernels.capacities.shared_reads.order_per_warp = 1;
    model.kernels.capacities.shared_reads.warps_evenly = 0;
    const std::vector demands{reads_with(2)};
    SmSharing sharing{model, demands, {}};
    SmGroup group;
    group.one_set_each = false;
    group.residents.assign(4, block_of(0, demands[0]));
    sharing.share(group);
    double used = 0;
    for (const auto& resident : group.residents) {
        used += 0.4 * resident.speed_on_sm;
    }
    EXPECT_NEAR(group.residents[1].speed_on_sm, 1, 1e-12) << "as fast as alone, as the oldest is";
    EXPECT_NEAR(used, 1, 1e-12);
}

TEST(SharesByAge, readers_share_so_what_others_leave_of_their_way) {
    auto model = model_of_whole_units();
    model.kernels.capacities.shared_reads.warps_evenly = 8;
    const auto other = asks_for(SmUnit::l1, 0.5);
    const std::vector demands{other, reads_with(4)};
    SmSharing sharing{model, demands, {}};
    SmGroup group;
    group.one_set_each = false;
    group.residents = {block_of(0, demands[0]), block_of(1, demands[1]), block_of(1, demands[1])};
    sharing.share(group);
    EXPECT_NEAR(group.residents[1].speed_on_sm, 0.5 / 1.6, 1e-12);
    EXPECT_NEAR(group.residents[2].speed_on_sm, 0.5 / 1.6, 1e-12);
}

TEST(SharesByAge, who_is_younger_than_a_full_queue_waits_longer_in_it) {
    auto model = model_of_whole_units();
    model.kernels.capacities.l2_latency_ns = 256;
    auto gather = asks_for(SmUnit::l1, 0.1);
    gather.units.queue.requests = 1'024;
    gather.units.queue.requests_per_ns = 1;
    gather.units.queue_order = 2;
    gather.traits = kFillsQueue;
    auto load = asks_for(SmUnit::alu_pipe, 0.1);
    load.units.l2_waits = 1;
    // As many as the L1 has lines, 2,048: eight latencies, of which one is a load's own.
    const auto mean = (1 - std::exp(-2)) / 2;
    EXPECT_NEAR(speeds_of({gather, gather, load}, 3, {}, model)[2],
                1 / (1 + 7 * mean * std::exp(2)), 1e-12);
    EXPECT_NEAR(speeds_of({gather, load, gather}, 3, {}, model)[1],
                1 / (1 + 7 * mean * std::exp(1)), 1e-12);
    EXPECT_NEAR(speeds_of({load, gather, gather}, 3, {}, model)[0], 1.0 / 8, 1e-12);
}

TEST(SharesByAge, requests_for_a_sector_each_are_shared_out_by_how_many_are_on_their_way) {
    auto model = model_of_whole_units();
    model.device.multiprocessors = 4;
    model.kernels.capacities.l2_longest_wait = 1;  // no SM asks for more than two quarters
    auto few = asks_for(SmUnit::l1, 0.1);
    few.units.device[static_cast<std::size_t>(DeviceUnit::l2_requests)] = 0.5;
    few.units.queue.requests = 100;
    few.units.queue.several_at_once = true;
    few.traits = kFillsQueue;
    auto many = few;
    many.units.queue.requests = 300;
    const auto speeds = speeds_of({many, few}, 2, {}, model);
    EXPECT_DOUBLE_EQ(speeds[0], 0.75);
    EXPECT_DOUBLE_EQ(speeds[1], 0.25);
    // Who fills another unit, too, is no faster for that.
    many.units.sm[static_cast<std::size_t>(SmUnit::l1)] = 2;
    many.load_per_block = 2;
    EXPECT_NEAR(speeds_of({many, few}, 2, {}, model)[0], 0.5, 1e-9);
    many = few;
    many.units.queue.requests = 300;
    // Chains of loads wait in one row with all others.
    few.units.queue.several_at_once = false;
    EXPECT_DOUBLE_EQ(speeds_of({many, few}, 2, {}, model)[0], 1);
    // Blocks of one kernel are as fast as its counters say.
    EXPECT_DOUBLE_EQ(speeds_of({many, many}, 1, {}, model)[0], 1);
}

}  // namespace
}  // namespace overcast
