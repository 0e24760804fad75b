#include "model/curve.hpp"

#include "core/error.hpp"
#include "model/count_curve.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(Curve, goes_straight_from_point_to_point_and_stays_flat_outside) {
    const Curve curve{{{10, 100}, {20, 300}}};
    EXPECT_DOUBLE_EQ(curve.linear(15), 200);  // half way
    EXPECT_DOUBLE_EQ(curve.linear(5), 100);
    EXPECT_DOUBLE_EQ(curve.linear(99), 300);
}

TEST(Curve, can_be_straight_in_the_logarithm_of_x) {
    const Curve curve{{{1, 1}, {100, 3}}};
    EXPECT_DOUBLE_EQ(curve.logarithmic(10), 2);  // half way between 10^0 and 10^2
}

TEST(Curve, refuses_points_that_do_not_rise) {
    EXPECT_THROW(Curve({{2, 1}, {2, 5}}), ModelFileError);
}

TEST(CountCurve, says_what_its_curve_does_for_few_and_for_many) {
    const Curve curve{{{2, 10}, {100, 30}}};
    const CountCurve counted{curve};
    for (const auto count : {0U, 2U, 32U, 33U, 99U, 1000U}) {
        EXPECT_EQ(counted.at(count), curve.linear(count)) << count;
    }
    EXPECT_EQ(CountCurve{Curve{}}.at(7), 0);
}

}  // namespace
}  // namespace overcast
