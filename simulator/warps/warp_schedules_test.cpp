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

/// A block of each kernel, the first one the oldest.
SmGroup group_of(const std::vector<KernelDemand>& demands, std::size_t residents) {
    SmGroup group;
    for (std::uint32_t i = 0; i < residents; ++i) {
        group.residents.push_back(block_of(i, demands[i]));
    }
    return group;
}

/// Of the oldest block.
double speed_of_first(const std::vector<KernelDemand>& demands, std::size_t residents,
                      const Rules& rules) {
    SmSharing sharing{model_of_whole_units(), demands, rules};
    auto group = group_of(demands, residents);
    sharing.share(group);
    return group.residents.front().speed_on_sm;
}

Rules with_schedules() {
    Rules rules;
    rules.switch_on(Rule::schedules);
    return rules;
}

TEST(WarpSchedules, nothing_is_played_of_a_kernel_whose_pass_is_not_known) {
    const auto known = code_of("f4", 64);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.25), asks_for(SmUnit::fma_pipe, 0.25)};
    demands[0].code = &known;
    WarpSchedules schedules{demands};
    auto group = group_of(demands, 1);
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
    auto group = group_of(demands, 1);
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
    EXPECT_DOUBLE_EQ(speed_of_first(demands, 2, {}), 1);
    EXPECT_NEAR(speed_of_first(demands, 2, with_schedules()), 0.16, 0.06);
}

/// Beside kernels that cannot be played blocks do what laws say, but as if these said of them alone
/// what their schedulers do.
TEST(WarpSchedules, where_somebody_is_not_known_laws_are_made_to_fit) {
    const auto never_waits = code_of("f1", 128);
    std::vector demands{asks_for(SmUnit::fma_pipe, 0.5), asks_for(SmUnit::xu_pipe, 0.1)};
    demands[0].code = &never_waits;
    demands[0].per_block.threads = 512;
    const auto alone = speed_of_first(demands, 1, with_schedules());
    EXPECT_NEAR(alone, 0.28, 0.01) << "four warps of a scheduler share it";
    EXPECT_NEAR(speed_of_first(demands, 2, with_schedules()), alone, 1e-9)
        << "laws say that neither holds up the other";
}

}  // namespace
}  // namespace overcast
