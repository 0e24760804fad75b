#include "validate/cases/gnocchi_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace overcast::cases {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::vector<std::uint64_t> in_seconds(std::vector<std::uint64_t> timestamps) {
    for (auto& time : timestamps) {
        time /= kSecond;
    }
    return timestamps;
}

TEST(FloorTo, goes_to_the_latest_start_of_an_interval) {
    EXPECT_EQ(floor_to(12, 13), 0U);
    EXPECT_EQ(floor_to(13, 13), 13U);
    EXPECT_EQ(floor_to(38, 13), 26U);
}

TEST(Timestamps, come_at_the_sampling_interval_but_for_the_gaps) {
    std::vector<std::uint64_t> timestamps(6);
    fill_timestamps({3 * kSecond, 7 * kSecond, 0}, timestamps);
    EXPECT_EQ(in_seconds(timestamps), (std::vector<std::uint64_t>{3, 10, 17, 24, 31, 38}));
    // The first gap is 1 + 31 % 97 = 32 s, the second 1 + 2 * 7919 % 4999 = 842 s long.
    fill_timestamps({3 * kSecond, 7 * kSecond, 2}, timestamps);
    EXPECT_EQ(in_seconds(timestamps), (std::vector<std::uint64_t>{3, 10, 49, 56, 905, 912}));
}

TEST(Timestamps, have_gaps_no_longer_than_promised) {
    std::vector<std::uint64_t> timestamps(20'000);
    fill_timestamps({0, 1 * kSecond, 1}, timestamps);
    std::adjacent_difference(timestamps.begin(), timestamps.end(), timestamps.begin());
    EXPECT_LE(*std::max_element(timestamps.begin(), timestamps.end()),
              (kLongestGapSeconds + 1) * kSecond);
}

TEST(Resample, counts_and_sums_where_the_interval_is_no_multiple_of_the_sampling) {
    // Every 7 s into 13 s: 0, 7 | 14, 21 | 28, 35 | 42, 49 | 56, 63 | 70, 77 | 84 | 91.
    std::vector<std::uint64_t> timestamps;
    std::vector<float> values;
    for (std::uint64_t i = 0; i < 14; ++i) {
        timestamps.push_back(i * 7);
        values.push_back(static_cast<float>(i + 1));
    }
    const auto result = resample(timestamps, values, 13);
    EXPECT_EQ(result.counts,
              (std::vector<std::uint32_t>{2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 1, 1}));
    EXPECT_EQ(result.sums, (std::vector<float>{3, 0, 7, 0, 11, 0, 15, 0, 19, 0, 23, 0, 13, 14}));
}

TEST(Resample, starts_anew_behind_a_gap_and_goes_on_within_an_interval) {
    // A gap from 7 to 40 skips the interval 13; one from 41 to 50 stays within 39 to 51.
    const std::vector<std::uint64_t> timestamps{0, 7, 40, 41, 50, 52};
    const std::vector<float> values{1, 2, 4, 8, 16, 32};
    const auto result = resample(timestamps, values, 13);
    EXPECT_EQ(result.counts, (std::vector<std::uint32_t>{2, 0, 3, 0, 0, 1}));
    EXPECT_EQ(result.sums, (std::vector<float>{3, 0, 28, 0, 0, 32}));
}

TEST(Resample, loses_no_point_of_a_long_series) {
    for (const std::uint64_t period : {13, 55, 300}) {
        std::vector<std::uint64_t> timestamps(10'000);
        fill_timestamps({1'520'000'003 * kSecond, 7 * kSecond, 100}, timestamps);
        const std::vector<float> ones(timestamps.size(), 1.0F);
        const auto result = resample(timestamps, ones, period * kSecond);
        EXPECT_EQ(std::accumulate(result.counts.begin(), result.counts.end(), 0U),
                  timestamps.size());
        for (std::size_t i = 0; i < timestamps.size(); ++i) {
            EXPECT_EQ(static_cast<float>(result.counts[i]), result.sums[i]);
            const bool first = i == 0 || floor_to(timestamps[i], period * kSecond) !=
                                             floor_to(timestamps[i - 1], period * kSecond);
            EXPECT_EQ(result.counts[i] > 0, first) << i;
        }
    }
}

}  // namespace
}  // namespace overcast::cases
