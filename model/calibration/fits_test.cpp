#include "core/error.hpp"
#include "model/calibration/duplex_fit.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/piecewise_fit.hpp"
#include "model/calibration/rising_fit.hpp"
#include "model/calibration/threshold_fit.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

namespace overcast {
namespace {

using namespace std::chrono_literals;

/// y = 2000 + x / 50 with relative noise, at sizes from 64 KiB to 256 MiB.
std::vector<DataPoint> noisy_copies(double noise, unsigned seed) {
    std::mt19937 random{seed};
    std::normal_distribution<double> normal{0, noise};
    std::vector<DataPoint> data;
    for (double bytes = 65536; bytes <= 268435456; bytes *= 2) {
        data.push_back({bytes, (2000 + bytes / 50) * (1 + normal(random))});
    }
    return data;
}

TEST(FitMedian, ignores_what_is_far_out) {
    // Sorted 1 2 3 4 5 6 1000: the fourth of seven; distances 3 2 1 0 1 2 996, their median 2.
    const auto found = fit_median({3, 1000, 1, 2, 4, 6, 5});
    EXPECT_EQ(found.value, 4);
    EXPECT_DOUBLE_EQ(found.residual, 1.4826 * 2);
    EXPECT_EQ(found.points, 7U);
}

TEST(FitMedian, takes_the_interval_from_the_ranks_around_the_middle) {
    std::vector<double> samples;
    for (int i = 0; i < 100; ++i) {
        samples.push_back(i);
    }
    // 50 - 1.645 * 10 / 2 = 41.8: rank 41 from below and from above.
    const auto found = fit_median(samples);
    EXPECT_EQ(found.value, 49.5);
    EXPECT_EQ(found.low, 41);
    EXPECT_EQ(found.high, 58);
}

TEST(FitMedian, of_few_samples_is_as_uncertain_as_they_are) {
    const auto found = fit_median({7, 5, 9});
    EXPECT_EQ(found.low, 5);
    EXPECT_EQ(found.high, 9);
}

TEST(FitMedian, encloses_the_truth_nine_times_in_ten) {
    std::mt19937 random{11};
    std::normal_distribution<double> normal{100, 5};
    int inside = 0;
    for (int run = 0; run < 1000; ++run) {
        std::vector<double> samples(30);
        for (auto& sample : samples) {
            sample = normal(random);
        }
        const auto found = fit_median(samples);
        inside += found.low <= 100 && 100 <= found.high ? 1 : 0;
    }
    // Ranks are whole numbers: a little more than 900, never less by chance (sd 9.5).
    EXPECT_GT(inside, 870);
    EXPECT_LT(inside, 975);
}

TEST(FitMean, has_the_interval_of_students_t) {
    // Mean 3, standard deviation sqrt(10/4) = 1.5811, /sqrt(5) = 0.7071, t(4) = 2.1318: 1.5074.
    const auto found = fit_mean({1, 2, 3, 4, 5});
    EXPECT_DOUBLE_EQ(found.value, 3);
    EXPECT_NEAR(found.high, 4.5074, 1e-4);
    EXPECT_NEAR(found.low, 1.4926, 1e-4);
}

TEST(FitTrimmedMean, leaves_out_a_twentieth_at_either_end) {
    // 1 to 20 with the last a thousand: without 1 and 1000 the mean of 2 to 19 is 10.5.
    std::vector<double> samples{1000};
    for (int i = 1; i < 20; ++i) {
        samples.push_back(i);
    }
    const auto found = fit_trimmed_mean(samples);
    EXPECT_DOUBLE_EQ(found.value, 10.5);
    EXPECT_EQ(found.points, 18U);
}

TEST(StudentT, agrees_with_its_table) {
    EXPECT_NEAR(student_t_95(1), 6.314, 0.001);
    EXPECT_NEAR(student_t_95(5), 2.015, 0.002);
    EXPECT_NEAR(student_t_95(10), 1.812, 0.002);
    EXPECT_NEAR(student_t_95(1000), 1.646, 0.001);
}

TEST(FitLine, finds_latency_and_bandwidth_without_noise) {
    const auto fit = fit_line(noisy_copies(0, 1));
    EXPECT_NEAR(fit.start.value, 2000, 1e-3);
    EXPECT_NEAR(1 / fit.slope.value, 50, 1e-6);
    EXPECT_LT(fit.worst_residual, 1e-9);
    EXPECT_EQ(fit.slope.valid_from, 65536);
    EXPECT_EQ(fit.slope.valid_to, 268435456);
    EXPECT_EQ(fit.slope.points, 13U);
}

TEST(FitLine, encloses_latency_and_bandwidth_nine_times_in_ten) {
    int start = 0;
    int slope = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
        const auto fit = fit_line(noisy_copies(0.01, seed));
        start += fit.start.low <= 2000 && 2000 <= fit.start.high ? 1 : 0;
        slope += fit.slope.low <= 0.02 && 0.02 <= fit.slope.high ? 1 : 0;
    }
    // 450 of 500, standard deviation 6.7.
    EXPECT_NEAR(start, 450, 25);
    EXPECT_NEAR(slope, 450, 25);
}

TEST(FitLine, tells_the_noise_it_saw) {
    const auto fit = fit_line(noisy_copies(0.01, 3));
    EXPECT_GT(fit.slope.residual, 0.004);
    EXPECT_LT(fit.slope.residual, 0.02);
}

TEST(FitLine, refuses_what_no_line_goes_through) {
    EXPECT_THROW(fit_line({{1, 1}, {2, 2}}), ModelFileError);
    EXPECT_THROW(fit_line({{1, 1}, {1, 2}, {1, 3}}), ModelFileError);
    EXPECT_THROW(fit_line({{1, 1}, {2, 0}, {3, 3}}), ModelFileError);
}

TEST(FitThroughOrigin, weighs_the_far_points_most) {
    // (1*1 + 2*2 + 4*6) / (1 + 4 + 16) = 29 / 21.
    const auto found = fit_through_origin({{1, 1}, {2, 2}, {4, 6}});
    EXPECT_DOUBLE_EQ(found.value, 29.0 / 21.0);
    EXPECT_LT(found.low, found.value);
    EXPECT_EQ(found.valid_to, 4);
}

TEST(FitSaturation, finds_where_time_begins_to_grow) {
    // 100 * max(1, x / 12): limits 12 from x = 24, 32, 64; x = 16 lies at the bend and is left out.
    const auto found =
        fit_saturation({{8, 100}, {16, 400.0 / 3}, {24, 200}, {32, 800.0 / 3}, {64, 1600.0 / 3}});
    EXPECT_NEAR(found.value, 12, 1e-9);
    EXPECT_EQ(found.points, 5U);
}

TEST(FitSaturation, needs_a_point_beyond_it) {
    EXPECT_THROW(fit_saturation({{8, 100}, {16, 101}}), ModelFileError);
}

TEST(DuplexFactor, counts_only_the_part_beside_the_other_direction) {
    // 100 us alone; 40 us of 114 without the other, so 60 us of work took 74: 74 / 60.
    EXPECT_DOUBLE_EQ(duplex_factor(114us, 74us, 100us).value(), 74.0 / 60.0);
}

TEST(DuplexFactor, is_unknown_where_all_was_done_outside) {
    EXPECT_FALSE(duplex_factor(110us, 5us, 100us));
}

/// y = 800 + x / 3500 up to 16 MiB, 1300 + x / 2100 from 32 MiB on, with relative noise.
std::vector<DataPoint> cached_copies(double noise, unsigned seed) {
    std::mt19937 random{seed};
    std::normal_distribution<double> normal{0, noise};
    std::vector<DataPoint> data;
    for (double bytes = 1 << 18; bytes <= 1 << 30; bytes *= 2) {
        const double exact = bytes <= 1 << 24 ? 800 + bytes / 3500 : 1300 + bytes / 2100;
        data.push_back({bytes, exact * (1 + normal(random))});
    }
    return data;
}

TEST(FitPieces, cuts_where_the_line_changes) {
    for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
        const auto pieces = fit_pieces(cached_copies(0.01, seed));
        ASSERT_EQ(pieces.size(), 2U) << seed;
        EXPECT_EQ(pieces[0].from, 1 << 18);
        EXPECT_EQ(pieces[1].from, 1 << 25);
        EXPECT_NEAR(pieces[0].line.slope.value, 1.0 / 3500, 0.05 / 3500);
        EXPECT_NEAR(pieces[1].line.slope.value, 1.0 / 2100, 0.05 / 2100);
    }
}

TEST(FitPieces, keeps_one_line_where_there_is_one) {
    int more = 0;
    for (unsigned seed = 1; seed <= 50; ++seed) {
        more += fit_pieces(noisy_copies(0.01, seed)).size() > 1 ? 1 : 0;
    }
    EXPECT_LE(more, 5);  // Schwarz's criterion errs rarely
}

TEST(FitPieces, does_not_cut_for_less_than_half_a_percent) {
    std::vector<DataPoint> data;
    for (double bytes = 1 << 20; bytes <= 1 << 30; bytes *= 2) {
        data.push_back({bytes, bytes / 50 * (bytes < 1 << 25 ? 1 : 1.003)});
    }
    EXPECT_EQ(fit_pieces(data).size(), 1U);
}

TEST(FitPieces, has_no_piece_that_does_not_rise) {
    // Four sizes take the same time, as small memsets do; the others lie on a line.
    std::vector<DataPoint> data;
    for (double bytes = 1 << 16; bytes <= 1 << 30; bytes *= 2) {
        data.push_back({bytes, bytes <= 1 << 19 ? 928 : 700 + bytes / 4500});
    }
    const auto pieces = fit_pieces(data);
    EXPECT_GT(pieces.size(), 1U);
    for (const auto& piece : pieces) {
        EXPECT_GT(piece.line.slope.value, 0) << piece.from;
    }
}

TEST(FitPieces, does_not_ask_for_sorted_data) {
    auto data = cached_copies(0, 1);
    std::swap(data.front(), data.back());
    EXPECT_EQ(fit_pieces(data).size(), 2U);
}

TEST(FitRising, pools_neighbours_that_fall) {
    // 5, 3, 4 do not rise: all get their mean 4; 2 before them and 9 after them stay.
    const auto found = fit_rising({{1, 2}, {2, 5}, {3, 3}, {4, 4}, {5, 9}});
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].y, 2);
    for (const std::size_t i : {1U, 2U, 3U}) {
        EXPECT_EQ(found[i].y, 4) << i;
    }
    EXPECT_EQ(found[4].y, 9);
}

TEST(FitRising, leaves_what_rises) {
    const auto found = fit_rising({{1, 2}, {2, 2}, {3, 7}});
    EXPECT_EQ(found[1].y, 2);
    EXPECT_EQ(found[2].y, 7);
    EXPECT_TRUE(fit_rising({}).empty());
}

TEST(FitRising, delays_are_whole_nanoseconds_and_never_negative) {
    const auto found = fit_rising_delays_ns({{1, -4}, {2, 2.6}});
    EXPECT_EQ(found[0].y, 0);
    EXPECT_EQ(found[1].y, 3);
}

TEST(FitThreshold, lies_where_the_fewest_answers_are_exceptions) {
    // Yes up to 3 and no from 5 on, but for a no at 1 and a yes at 9.
    const auto found = fit_threshold({{0, true},
                                      {1, false},
                                      {2, true},
                                      {3, true},
                                      {5, false},
                                      {6, false},
                                      {8, false},
                                      {9, true}});
    EXPECT_DOUBLE_EQ(found.value, 4);
    EXPECT_DOUBLE_EQ(found.residual, 0.25);
    EXPECT_LE(found.low, 4);
    EXPECT_GE(found.high, 4);
    EXPECT_EQ(found.points, 8U);
}

TEST(FitThreshold, does_not_ask_for_sorted_data) {
    EXPECT_DOUBLE_EQ(fit_threshold({{6, false}, {0, true}, {2, true}, {4, false}}).value, 3);
}

TEST(FitThreshold, needs_both_answers) {
    EXPECT_THROW(fit_threshold({{0, true}, {1, true}}), ModelFileError);
    EXPECT_THROW(fit_threshold({{0, false}}), ModelFileError);
    EXPECT_THROW(fit_threshold({}), ModelFileError);
}

}  // namespace
}  // namespace overcast
