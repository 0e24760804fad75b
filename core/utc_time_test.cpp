#include "core/utc_time.hpp"

#include <gtest/gtest.h>

#include <ctime>

namespace overcast {
namespace {

TEST(UtcTime, is_written_as_iso_8601_does) {
    // 1972-01-01 is two years of 365 days after 1970-01-01; then a leap day (29 February is the
    // 60th day of the year), and 1 h 2 min 3 s.
    constexpr std::time_t kDay = 86'400;
    constexpr std::time_t kTime = (2 * 365 + 59) * kDay + 3600 + 2 * 60 + 3;
    EXPECT_EQ(utc_time(kTime), "1972-02-29T01:02:03Z");
    EXPECT_EQ(utc_date(kTime), "1972-02-29");
}

TEST(UtcTime, of_now_lies_between_before_and_after) {
    const auto before = utc_time(std::time(nullptr));
    const auto now = utc_time_now();
    const auto after = utc_time(std::time(nullptr));
    EXPECT_LE(before, now);  // such texts sort as the times do
    EXPECT_LE(now, after);
    EXPECT_LE(before.substr(0, 10), utc_date_now());
}

}  // namespace
}  // namespace overcast
