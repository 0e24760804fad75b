#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

using test::Runs;
using ::testing::ElementsAre;

std::string samples(const std::string& quantity, double x, std::initializer_list<double> times) {
    std::string lines;
    for (const double time : times) {
        lines += "sample " + quantity + " " + std::to_string(x) + " " + std::to_string(time) + "\n";
    }
    return lines;
}

TEST(MeasureL2Halves, takes_the_mean_of_one_half_and_the_slow_ones_of_both) {
    // 1.2 % more is the same.
    const auto text = samples("l2_round_in_one", 24e6, {160, 161, 162}) +
                      samples("l2_round_in_both", 24e6, {160, 162, 163}) +
                      samples("l2_round_in_one", 48e6, {270, 280, 290}) +
                      samples("l2_round_in_both", 48e6, {300, 340, 350}) +
                      samples("l2_round_by_multiprocessors", 2, {280}) +
                      samples("l2_round_by_multiprocessors", 8, {279}) +
                      samples("l2_round_by_multiprocessors", 10, {315}) +
                      samples("l2_round_by_multiprocessors", 12, {310}) +
                      samples("l2_round_by_multiprocessors", 32, {350});
    const auto halves =
        Runs{}.untraced("l2_halves", text).draft_after(measure_l2_halves).model.kernels.l2_halves;
    EXPECT_THAT(halves.ns_in_one.points(),
                ElementsAre(Curve::Point{24e6, 161}, Curve::Point{48e6, 280}));
    EXPECT_THAT(halves.ns_in_both.points(),
                ElementsAre(Curve::Point{24e6, 161}, Curve::Point{48e6, 350}));
    EXPECT_THAT(halves.both_by_sms.points(),
                ElementsAre(Curve::Point{2, 0}, Curve::Point{8, 0}, Curve::Point{10, 0.5},
                            Curve::Point{12, 0.5}, Curve::Point{32, 1}));
}

TEST(MeasureL2Halves, finds_no_halves_where_there_are_none) {
    const auto text = samples("l2_round_in_one", 48e6, {280}) +
                      samples("l2_round_in_both", 48e6, {281}) +
                      samples("l2_round_by_multiprocessors", 2, {280}) +
                      samples("l2_round_by_multiprocessors", 32, {280});
    const auto halves =
        Runs{}.untraced("l2_halves", text).draft_after(measure_l2_halves).model.kernels.l2_halves;
    EXPECT_EQ(halves.ns_in_one.points(), halves.ns_in_both.points());
    EXPECT_EQ(halves.both_by_sms.linear(132), 0);
}

TEST(MeasureL2Halves, says_what_is_missing) {
    EXPECT_THROW(Runs{}.untraced("l2_halves", "").draft_after(measure_l2_halves), ModelFileError);
    EXPECT_THROW(Runs{}
                     .untraced("l2_halves", samples("l2_round_in_one", 1e6, {160}) +
                                                samples("l2_round_in_both", 1e6, {160}))
                     .draft_after(measure_l2_halves),
                 ModelFileError);
}

}  // namespace
}  // namespace overcast
