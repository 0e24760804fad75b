#include "simulator/warps/remembered_rates.hpp"

#include "tests/support/kernel_passes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

TEST(RememberedRates, the_same_blocks_are_played_once) {
    const WarpProgram chain{*parse_pass("f4 f4 f4 n6"), 0};
    const WarpProgram copy = chain;
    const WarpProgram other{*parse_pass("f1 f1 f1 n6"), 0};
    const WarpProgram loads{*parse_pass("f4 f4 f4 n6"), 300};
    const auto schedulers = test::schedulers_of_h200();
    RememberedRates rates;
    const std::vector<ScheduledBlock> blocks{{&chain, 1}, {&chain, 2}, {&other, 1}};
    EXPECT_EQ(rates(blocks, schedulers), issue_rates(blocks, schedulers));
    EXPECT_EQ(rates(std::vector<ScheduledBlock>{{&copy, 1}, {&copy, 2}, {&other, 1}}, schedulers),
              issue_rates(blocks, schedulers));
    EXPECT_EQ(rates.size(), 1U);
    const std::vector<ScheduledBlock> unlike{{&other, 1}, {&chain, 2}, {&chain, 1}};
    EXPECT_EQ(rates(unlike, schedulers), issue_rates(unlike, schedulers));
    EXPECT_EQ(rates.size(), 2U);
    const std::vector<ScheduledBlock> longer{{&loads, 1}, {&loads, 2}, {&other, 1}};
    rates(longer, schedulers);
    EXPECT_EQ(rates.size(), 3U) << "loads that take longer are another program";
    auto others = schedulers;
    others.loop_end = 20;
    EXPECT_EQ(rates(blocks, others), issue_rates(blocks, others)) << "another GPU's schedulers";
    EXPECT_EQ(rates.size(), 4U);
}

TEST(RememberedRates, what_runs_once_is_played_once) {
    const WarpProgram loop{*parse_pass("a2 a2 a2 n6"), 0};
    const WarpProgram start{*parse_pass("a4 a4"), 0};
    const WarpProgram longer{*parse_pass("a4 a4 a4"), 0};
    std::vector<ScheduledBlock> blocks{{&loop, 2}, {&start, 1}};
    const auto schedulers = test::schedulers_of_h200();
    RememberedRates rates;
    EXPECT_EQ(rates.to_run(blocks, 1, schedulers), cycles_to_run(blocks, 1, schedulers));
    rates.to_run(blocks, 1, schedulers);
    EXPECT_EQ(rates.size(), 1U);
    const std::vector<ScheduledBlock> alone{{&longer, 1}};
    EXPECT_LT(rates.to_run(alone, 0, schedulers), 20);
    blocks[1].program = &longer;
    rates.to_run(blocks, 1, schedulers);
    EXPECT_EQ(rates.size(), 3U);
    rates.to_run(blocks, 0, schedulers);
    EXPECT_EQ(rates.size(), 4U) << "the other one runs once";
}

}  // namespace
}  // namespace overcast
