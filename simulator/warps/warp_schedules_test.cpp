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

TEST(WarpSchedules, nothing_is_played_of_a_kernel_whose_pass_is_not_known) {
    const auto known = code_of("f4", 64);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &known;
    WarpSchedules schedules{demands};
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
    WarpSchedules schedules{demands};
    SmGroup group;
    group.residents = {block_of(0, demands[0])};
    EXPECT_NEAR(schedules.speeds(group)[0], 1, 1e-9) << "two have none";
    group.residents[0].per_sm = 2;
    EXPECT_NEAR(schedules.speeds(group)[0], 1, 1e-9) << "a warp on each of the four";
    group.residents[0].per_sm = 4;
    EXPECT_NEAR(schedules.speeds(group)[0], 0.56, 0.02) << "two";
}

TEST(WarpSchedules, kernels_that_touch_memory_are_left_to_the_laws) {
    const auto loads = code_of("g2>0 f4&1", 4);
    const auto shared = code_of("s1>0 f4&1", 4);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.1), asks_for(SmUnit::fma_pipe, 0.1)};
    demands[0].code = &loads;
    demands[1].code = &shared;
    const WarpSchedules schedules{demands};
    EXPECT_FALSE(schedules.knows(demands[0]));
    EXPECT_FALSE(schedules.knows(demands[1]));
}

TEST(WarpSchedules, schedules_are_played_only_where_they_are_asked_for) {
    const auto chain = code_of("f4", 64);
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.9)};
    demands[0].code = &chain;
    demands[1].code = &never_waits;
    const auto older = [&](const Rules& rules) {
        SmSharing sharing{model_of_whole_units(), demands, rules};
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

/// Beside kernels that cannot be played blocks do what laws say, but as if these said of them alone
/// what their schedulers do.
TEST(WarpSchedules, where_somebody_is_not_known_laws_are_made_to_fit) {
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.5), asks_for(SmUnit::xu_pipe, 0.1)};
    demands[0].code = &never_waits;
    demands[0].per_block.threads = 512;
    const auto first = [&](std::size_t kernels) {
        Rules with;
        with.switch_on(Rule::schedules);
        SmSharing sharing{model_of_whole_units(), demands, with};
        SmGroup group;
        for (std::uint32_t i = 0; i < kernels; ++i) {
            group.residents.push_back(block_of(i, demands[i]));
        }
        sharing.share(group);
        return group.residents[0].speed_on_sm;
    };
    EXPECT_NEAR(first(1), 0.28, 0.01) << "four warps of a scheduler share it";
    EXPECT_NEAR(first(2), first(1), 1e-9) << "laws say that neither holds up the other";
}

}  // namespace
}  // namespace overcast
