#include "model/curve.hpp"

#include "core/error.hpp"

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

}  // namespace
}  // namespace overcast
