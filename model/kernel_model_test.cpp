#include "model/kernel_model.hpp"

#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

KernelShape shape(std::uint32_t blocks, std::uint32_t threads, std::uint32_t registers = 32,
                  std::uint64_t shared_memory = 0) {
    KernelShape made;
    made.grid.x = blocks;
    made.block.x = threads;
    made.registers_per_thread = registers;
    made.dynamic_shared_memory = Bytes{shared_memory};
    return made;
}

std::uint32_t blocks_per_sm(const KernelShape& of) {
    return kernel_demand(of, test::round_model()).blocks_per_sm;
}

// Limits of compute capability 9.0: 2048 threads, 32 blocks, 65,536 registers, 228 KiB.
TEST(KernelModel, occupancy_is_the_tightest_of_four_limits) {
    EXPECT_EQ(blocks_per_sm(shape(1, 256)), 8U);              // 2048 / 256 threads
    EXPECT_EQ(blocks_per_sm(shape(1, 32, 16)), 32U);          // block slots
    EXPECT_EQ(blocks_per_sm(shape(1, 256, 128)), 2U);         // 8 warps * 4096 = 32,768 registers
    EXPECT_EQ(blocks_per_sm(shape(1, 256, 32, 56'000)), 4U);  // 233,472 / (56,000 + 1,024)
    EXPECT_EQ(blocks_per_sm(shape(1, 33, 16)), 32U);          // 33 threads are two warps: 64
}

TEST(KernelModel, blocks_that_together_ask_for_more_than_the_dram_are_slower_on_the_device) {
    auto model = test::round_model();
    model.kernels.capacities.memory_warps = 8;
    const auto sms = multiprocessors(model.device);
    KernelCounters counters;  // 32 warps on each SM use up the DRAM where 8 would
    counters.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 1;
    counters.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 32;
    counters.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.95;
    const auto speed = [&](std::uint32_t blocks) {
        return kernel_demand(shape(blocks, 256), model, &counters).speed_on_device;
    };
    EXPECT_DOUBLE_EQ(speed(4 * sms), 0.25);
    EXPECT_DOUBLE_EQ(speed(sms), 1);
    EXPECT_DOUBLE_EQ(speed(100 * sms), 0.125) << "eight find room on each SM";
}

TEST(KernelModel, a_trace_may_give_an_sm_room_for_more_blocks_than_are_counted) {
    DeviceProperties device;
    device.blocks_per_multiprocessor = 1'000'000;
    EXPECT_EQ(sm_limits(device).blocks, kMostBlocks);
}

TEST(KernelModel, of_clusters_room_is_lost_where_a_part_of_the_chip_holds_no_whole_one) {
    auto model = test::round_model();
    model.device.multiprocessors = 132;
    auto of = shape(120, 1024);
    of.cluster.x = 8;
    EXPECT_EQ(kernel_demand(of, model).cluster, 1U);  // not known of this device
    model.kernels.cluster_multiprocessors = Curve{{{2, 132}, {8, 120}, {16, 112}}};
    EXPECT_EQ(kernel_demand(of, model).cluster, 8U);
    EXPECT_EQ(kernel_demand(of, model).lost_to_clusters, 2U * 12);  // two blocks on each SM
    of.cluster.x = 2;
    EXPECT_EQ(kernel_demand(of, model).cluster, 1U);
}

TEST(KernelModel, sms_end_apart_unless_a_queue_spreads_the_ends_of_each_as_far) {
    constexpr double kApart = 0.035;
    EXPECT_EQ(ends_within_sm(0), 0);
    EXPECT_NEAR(ends_within_sm(0.26), 0.12, 0.001);  // 1 - (1 - 1 / e^k) / k
    EXPECT_TRUE(ends_sm_by_sm(0, 32, kApart)) << "those of an SM end together";
    EXPECT_TRUE(ends_sm_by_sm(0.12, 4, kApart));
    EXPECT_FALSE(ends_sm_by_sm(0.12, 5, kApart));
    EXPECT_FALSE(ends_sm_by_sm(0.12, 16, kApart));
    EXPECT_TRUE(ends_sm_by_sm(0.025, 16, kApart)) << "hardly spread";
}

TEST(KernelModel, registers_are_given_in_units_of_256_per_warp) {
    // 33 registers * 32 lanes = 1,056, rounded up to 1,280; 32 warps take 40,960: one block fits.
    EXPECT_EQ(blocks_per_sm(shape(1, 1024, 33)), 1U);
    EXPECT_EQ(blocks_per_sm(shape(1, 1024, 32)), 2U);  // 32,768 each
}

TEST(KernelModel, block_time_is_the_duration_over_that_of_a_solo_run) {
    auto model = test::round_model();
    model.kernels.floor = 10ns;
    const auto demand = kernel_demand(shape(9, 1024, 16), model);
    EXPECT_EQ(launch_times(Measured{310ns, 9}, demand, model, {3, 2.5}).block, 100ns);
    EXPECT_EQ(launch_times(Measured{110ns, 1}, demand, model, {1, 0.5}).block, 100ns);
}

TEST(KernelModel, a_whole_wave_has_edges_beside_the_floor_in_part_less_of_one) {
    auto model = test::round_model();  // 2 SMs, 4 slots
    model.kernels.floor = 10ns;
    model.kernels.edges = 40ns;
    model.kernels.saturating_warps = 64;  // two blocks do not hold each other up
    const auto beyond = [&](std::uint32_t blocks, Duration duration) {
        const auto demand = kernel_demand(shape(blocks, 1024, 16), model);
        return launch_times(Measured{duration, blocks}, demand, model, {1, 1}).beyond;
    };
    EXPECT_EQ(beyond(4, 1000ns), 50ns);
    EXPECT_EQ(beyond(8, 1000ns), 50ns);
    EXPECT_EQ(beyond(1, 1000ns), 20ns);
    EXPECT_EQ(beyond(4, 50ns), 30ns);  // never more than half of what is more than the floor
    EXPECT_EQ(beyond(4, 5ns), 10ns);
    model.kernels.saturating_warps = 32;
    EXPECT_EQ(beyond(4, 1000ns), 10ns);  // they do, and end one after the other
}

KernelCounters counted(std::uint32_t blocks, Duration duration, double sm_active) {
    KernelCounters counters;
    counters.grid.x = blocks;
    counters.block.x = 1024;
    const auto set = [&](KernelCounter counter, double value) {
        counters.values[static_cast<std::size_t>(counter)] = value;
    };
    set(KernelCounter::duration_ns, static_cast<double>(duration.count()));
    set(KernelCounter::sm_active, sm_active);
    set(KernelCounter::warps_per_sm, 64);
    return counters;
}

TEST(KernelModel, time_without_a_block_on_any_sm_is_no_time_of_blocks) {
    auto model = test::round_model();  // 2 SMs, 4 slots
    model.kernels.floor = 10ns;
    // Counters were read while it took 1010 ns, 10 ns more than it does; SMs were idle for 10 % of
    // that: 101 - 10 = 91 ns. Two waves share 1000 - 91 = 909 ns.
    const auto counters = counted(8, 1010ns, 0.9);
    const auto demand = kernel_demand(shape(8, 1024, 16), model, &counters);
    const auto times = launch_times(Measured{1000ns, 8}, demand, model, {2, 2});
    EXPECT_EQ(times.block, 455ns);  // 454.5
    EXPECT_EQ(times.beyond, 91ns);
}

TEST(KernelModel, sms_that_the_grid_leaves_empty_are_not_idle_time) {
    auto model = test::round_model();
    model.kernels.floor = 10ns;
    // One block on two SMs: an SM is busy half of the time while all the time a block runs.
    const auto counters = counted(1, 1000ns, 0.495);
    const auto demand = kernel_demand(shape(1, 1024, 16), model, &counters);
    const auto times = launch_times(Measured{1000ns, 1}, demand, model, {1, 0.5});
    EXPECT_EQ(times.beyond, 10ns);  // 1000 (1 - 0.495 / 0.5)
    EXPECT_EQ(times.block, 990ns);
}

TEST(KernelModel, a_part_of_a_grid_keeps_the_root_of_its_share_of_the_idle_time) {
    auto model = test::round_model();
    model.kernels.floor = 10ns;
    const auto counters = counted(16, 1000ns, 0.91);  // idle for 90 ns, 80 beyond the floor
    const auto demand = kernel_demand(shape(4, 1024, 16), model, &counters);
    // 10 + 80 / 2
    EXPECT_EQ(launch_times(Measured{1000ns, 16}, demand, model, {4, 4}).beyond, 50ns);
}

}  // namespace
}  // namespace overcast
