#include "report/human_units.hpp"

#include "tests/support/terminal_styles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;

using ::overcast::testing::kAscii;
using ::overcast::testing::kUnicode;

TEST(HumanDuration, has_four_digits_and_a_fitting_unit) {
    EXPECT_EQ(human_duration(0ns, kAscii), "0 ns");
    EXPECT_EQ(human_duration(873ns, kAscii), "873 ns");
    EXPECT_EQ(human_duration(12'345ns, kAscii), "12.35 us");
    EXPECT_EQ(human_duration(12'345ns, kUnicode), "12.35 µs");
    EXPECT_EQ(human_duration(10'400us, kAscii), "10.40 ms");
    EXPECT_EQ(human_duration(1'234ms, kAscii), "1.234 s");
    EXPECT_EQ(human_duration(3'600s, kAscii), "3600 s");
}

TEST(HumanDuration, moves_to_the_next_unit_where_it_would_round_up_to_a_thousand) {
    EXPECT_EQ(human_duration(999'949ns, kAscii), "999.9 us");
    EXPECT_EQ(human_duration(999'960ns, kAscii), "1.000 ms");
    EXPECT_EQ(human_duration(999'960us, kAscii), "1.000 s");
}

TEST(HumanDurations, share_a_unit_and_the_number_of_decimals) {
    EXPECT_THAT(human_durations({15ms, 7'450us}, kAscii),
                ::testing::ElementsAre("15.000 ms", "7.450 ms"));
    EXPECT_THAT(human_durations({150ms, 20ms}, kAscii),
                ::testing::ElementsAre("150.00 ms", "20.00 ms"));
    EXPECT_THAT(human_durations({2s, 300ms}, kAscii), ::testing::ElementsAre("2.000 s", "0.300 s"));
    EXPECT_THAT(human_durations({}, kAscii), ::testing::IsEmpty());
}

TEST(HumanBytes, has_three_digits_and_a_fitting_unit) {
    EXPECT_EQ(human_bytes(Bytes{0}), "0 B");
    EXPECT_EQ(human_bytes(Bytes{1023}), "1023 B");
    EXPECT_EQ(human_bytes(Bytes{12 << 20}), "12 MiB");
    EXPECT_EQ(human_bytes(Bytes{1'342'177'280}), "1.25 GiB");  // 1.25 * 2^30
}

TEST(HumanBandwidth, is_decimal) {
    EXPECT_EQ(human_bandwidth(Bytes{555}, 10ns), "55.5 GB/s");
    EXPECT_EQ(human_bandwidth(Bytes{20'000}, 1ms), "20.0 MB/s");
}

TEST(HumanCount, separates_thousands) {
    EXPECT_EQ(human_count(0), "0");
    EXPECT_EQ(human_count(999), "999");
    EXPECT_EQ(human_count(1'000), "1,000");
    EXPECT_EQ(human_count(1'234'567), "1,234,567");
}

TEST(Counted, agrees_in_number) {
    EXPECT_EQ(counted(1, "unit"), "1 unit");
    EXPECT_EQ(counted(20, "unit"), "20 units");
    EXPECT_EQ(counted(0, "unit"), "0 units");
}

}  // namespace
}  // namespace overcast
