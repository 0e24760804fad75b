#include "simulator/warps/remembered_rates.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

TEST(RememberedRates, the_same_blocks_are_played_once) {
    const WarpProgram chain{*parse_pass("f4 f4 f4 n6"), 0};
    const WarpProgram copy = chain;
    const WarpProgram other{*parse_pass("f1 f1 f1 n6"), 0};
    const WarpProgram loads{*parse_pass("f4 f4 f4 n6"), 300};
    RememberedRates rates;
    const std::vector<ScheduledBlock> blocks{{&chain, 1}, {&chain, 2}, {&other, 1}};
    EXPECT_EQ(rates(blocks), issue_rates(blocks));
    EXPECT_EQ(rates(std::vector<ScheduledBlock>{{&copy, 1}, {&copy, 2}, {&other, 1}}),
              issue_rates(blocks));
    EXPECT_EQ(rates.size(), 1U);
    const std::vector<ScheduledBlock> unlike{{&other, 1}, {&chain, 2}, {&chain, 1}};
    EXPECT_EQ(rates(unlike), issue_rates(unlike));
    EXPECT_EQ(rates.size(), 2U);
    const std::vector<ScheduledBlock> longer{{&loads, 1}, {&loads, 2}, {&other, 1}};
    rates(longer);
    EXPECT_EQ(rates.size(), 3U) << "loads that take longer are another program";
}

TEST(RememberedRates, the_same_start_is_played_once) {
    const WarpProgram loop{*parse_pass("a2 a2 a2 n6"), 0};
    const WarpProgram start{*parse_pass("a4 a4"), 0};
    const WarpProgram longer{*parse_pass("a4 a4 a4"), 0};
    const std::vector<ScheduledBlock> older{{&loop, 2}};
    RememberedRates rates;
    EXPECT_EQ(rates.to_start(older, {&start, 1}), cycles_to_start(older, {&start, 1}));
    rates.to_start(older, {&start, 1});
    EXPECT_EQ(rates.size(), 1U);
    EXPECT_LT(rates.to_start({}, {&longer, 1}), 20);
    rates.to_start(older, {&longer, 1});
    EXPECT_EQ(rates.size(), 3U);
}

}  // namespace
}  // namespace overcast
