#include "validate/accuracy/decision.hpp"

#include <gtest/gtest.h>

#include <array>

namespace overcast {
namespace {

TEST(Decision, regrets_what_the_choice_costs_more_than_the_best) {
    constexpr std::array kChoices{Choice{100, 90}, Choice{80, 85}, Choice{84, 70}};
    const auto decision = decide(kChoices);
    EXPECT_EQ(decision.chosen, 2U);
    EXPECT_EQ(decision.best, 1U);
    EXPECT_DOUBLE_EQ(decision.regret_percent, 5);  // 84 instead of 80
}

TEST(Decision, regrets_nothing_where_the_order_is_right_and_the_times_are_not) {
    constexpr std::array kChoices{Choice{100, 10}, Choice{80, 8}};
    EXPECT_DOUBLE_EQ(decide(kChoices).regret_percent, 0);
}

}  // namespace
}  // namespace overcast
