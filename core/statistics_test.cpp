#include "core/statistics.hpp"

#include "core/units.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

TEST(Statistics, the_median_of_an_even_number_lies_between_two) {
    EXPECT_DOUBLE_EQ(median_of<double>({9, 2, 4}), 4);
    EXPECT_DOUBLE_EQ(median_of<double>({9, 2, 4, 6}), 5);  // (4 + 6) / 2
    EXPECT_EQ(median_of<Duration>({Duration{10}, Duration{1}, Duration{5}, Duration{2}}),
              Duration{3});  // (2 + 5) / 2, a whole nanosecond
}

TEST(Statistics, a_percentile_is_one_of_the_values) {
    std::vector<double> values;
    for (int i = 40; i > 0; --i) {
        values.push_back(i);
    }
    EXPECT_DOUBLE_EQ(percentile_of(values, 95), 38);  // rank 0.95 * 40 = 38
    values.push_back(41);
    EXPECT_DOUBLE_EQ(percentile_of(values, 95), 39);  // rank 38.95, rounded up
    EXPECT_DOUBLE_EQ(percentile_of<double>({5}, 90), 5);
    EXPECT_DOUBLE_EQ(percentile_of<double>({4, 1, 3, 2}, 50), 2);  // the lower one of the middle
    EXPECT_DOUBLE_EQ(percentile_of<double>({4, 1}, 0), 1);
}

TEST(Statistics, of_nothing_are_zero) {
    EXPECT_DOUBLE_EQ(median_of<double>({}), 0);
    EXPECT_EQ(percentile_of<Duration>({}, 90), Duration{});
}

}  // namespace
}  // namespace overcast
