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

}  // namespace
}  // namespace overcast
