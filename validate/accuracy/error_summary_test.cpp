#include "validate/accuracy/error_summary.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

TEST(ErrorSummary, gives_means_with_and_without_sign) {
    const std::vector<ErrorSample> samples{{"a", "f", -3}, {"a", "f", 1}};
    const auto summary = summarise(samples);
    EXPECT_EQ(summary.count, 2U);
    EXPECT_DOUBLE_EQ(summary.mape_percent, 2);    // (3 + 1) / 2
    EXPECT_DOUBLE_EQ(summary.median_percent, 2);  // between 1 and 3
    EXPECT_DOUBLE_EQ(summary.max_percent, 3);
    EXPECT_DOUBLE_EQ(summary.bias_percent, -1);  // (-3 + 1) / 2
}

TEST(ErrorSummary, many_runs_of_one_case_do_not_pad_the_mean_of_the_cases) {
    // Case a: 1, 1, 1, 1 (mean 1); case b: 7; case c of another family: 10.
    const std::vector<ErrorSample> samples{{"a", "f", 1},  {"a", "f", 1}, {"a", "f", 1},
                                           {"a", "f", -1}, {"b", "f", 7}, {"c", "g", 10}};
    const auto summary = summarise(samples);
    EXPECT_DOUBLE_EQ(summary.mape_percent, 21.0 / 6);    // all six
    EXPECT_DOUBLE_EQ(summary.case_mape_percent, 6);      // (1 + 7 + 10) / 3
    EXPECT_DOUBLE_EQ(summary.family_mape_percent, 6.1);  // (11 / 5 + 10) / 2
}

TEST(ErrorSummary, of_nothing_is_zero) {
    const auto summary = summarise({});
    EXPECT_EQ(summary.count, 0U);
    EXPECT_DOUBLE_EQ(summary.p95_percent, 0);
    EXPECT_DOUBLE_EQ(summary.family_mape_percent, 0);
}

}  // namespace
}  // namespace overcast
