#include "simulator/warps/warp_schedules.hpp"

#include "simulator/kernels/sm_sharing.hpp"
#include "tests/support/sm_residents.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace overcast {
namespace {

using test::asks_for;
using test::block_of;
using test::model_of_whole_units;

KernelCode code_of(const std::string& instruction, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += instruction + " ";
    }
    KernelCode code;
    code.pass = *parse_pass(text + "n6");
    code.instructions = static_cast<double>(code.pass.size());
    return code;
}

DeviceModel model_with_clock() {
    auto model = model_of_whole_units();
    model.device.core_clock_khz = 2e6;
    model.kernels.capacities.l2_latency_ns = 150;
    model.kernels.capacities.dram_latency = 2;
    return model;
}

TEST(WarpSchedules, nothing_is_played_of_a_kernel_whose_pass_is_not_known) {
    const auto known = code_of("f4", 64);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &known;
    WarpSchedules schedules{demands, model_with_clock()};
    SmGroup group;
    group.residents = {block_of(0, demands[0])};
    EXPECT_EQ(schedules.speeds(group).size(), 1U);
    group.residents.push_back(block_of(1, demands[1]));
    EXPECT_TRUE(schedules.speeds(group).empty());
}

TEST(WarpSchedules, warps_of_small_blocks_go_round_the_schedulers) {
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &never_waits;
    demands[0].per_block.threads = 64;
    WarpSchedules schedules{demands, model_with_clock()};
    SmGroup group;
    group.residents = {block_of(0, demands[0])};
    EXPECT_NEAR(schedules.speeds(group)[0], 1, 1e-9) << "two have none";
    group.residents[0].per_sm = 2;
    EXPECT_NEAR(schedules.speeds(group)[0], 1, 1e-9) << "a warp on each of the four";
    group.residents[0].per_sm = 4;
    EXPECT_NEAR(schedules.speeds(group)[0], 0.56, 0.02) << "two";
}

TEST(WarpSchedules, a_load_takes_as_long_as_its_kernel_alone_shows_and_no_longer_than_alone) {
    auto code = code_of("g2>0 f4&01", 4);
    code.cycles = 40;
    code.memory_waits = 4;
    auto demand = asks_for(SmUnit::fma_pipe, 0.01);
    demand.code = &code;
    demand.units.interval = 90;  // cycles, 9 instructions: (810 - 40) / 4
    demand.units.l2_hit_rate = 0.5;
    const auto idle = warp_programs(demand, model_with_clock());
    EXPECT_DOUBLE_EQ(idle->alone.load_cycles, 192.5);
    EXPECT_FALSE(idle->held);
    demand.units.interval = 300;  // 665, of which 300 x 1.5 without others
    const auto full = warp_programs(demand, model_with_clock());
    EXPECT_DOUBLE_EQ(full->alone.load_cycles, 450);
    EXPECT_DOUBLE_EQ(full->held->load_cycles, 665);
}

TEST(WarpSchedules, schedules_are_played_only_where_they_are_asked_for) {
    const auto chain = code_of("f4", 64);
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.9)};
    demands[0].code = &chain;
    demands[1].code = &never_waits;
    const auto older = [&](const Rules& rules) {
        SmSharing sharing{model_with_clock(), demands, rules};
        SmGroup group;
        group.residents = {block_of(0, demands[0]), block_of(1, demands[1])};
        sharing.share(group);
        return group.residents[0].speed_on_sm;
    };
    EXPECT_DOUBLE_EQ(older({}), 1);
    Rules with;
    with.switch_on(Rule::schedules);
    EXPECT_NEAR(older(with), 0.16, 0.06);
}

}  // namespace
}  // namespace overcast
