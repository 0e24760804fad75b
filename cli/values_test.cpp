#include "cli/values.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

TEST(StreamList, takes_numbers_ranges_and_mixtures) {
    EXPECT_THAT(parse_stream_list("1,2,4,8"), ElementsAre(1, 2, 4, 8));
    EXPECT_THAT(parse_stream_list("3..6"), ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(parse_stream_list("1..3,6,8"), ElementsAre(1, 2, 3, 6, 8));
}

TEST(StreamList, names_each_number_once) {
    EXPECT_THAT(parse_stream_list("2,1..3,2"), ElementsAre(2, 1, 3));
}

TEST(StreamList, refuses_what_is_no_number_of_streams) {
    for (const auto* text : {"", "0", "0..4", "1,,2", "1,", "-1", "two", "4..1", "1..", "..4",
                             "1.5", "1..4..8", "1 ,2", "4097", "99999999999"}) {
        EXPECT_THROW(parse_stream_list(text), UsageError) << text;
    }
}

TEST(StreamList, says_what_may_be_given) {
    try {
        parse_stream_list("0");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "--streams '0': expected numbers from 1 to 4096, such as 1,2,4,8 or 1..16");
    }
}

TEST(DurationValue, carries_its_unit) {
    EXPECT_EQ(parse_duration("--x", "250ns"), 250ns);
    EXPECT_EQ(parse_duration("--x", "2us"), 2us);
    EXPECT_EQ(parse_duration("--x", "2.5µs"), 2500ns);
    EXPECT_EQ(parse_duration("--x", "1.5ms"), 1500us);
    EXPECT_EQ(parse_duration("--x", "1s"), 1s);
    EXPECT_EQ(parse_duration("--x", "0us"), 0ns);
}

TEST(DurationValue, refuses_what_is_no_time) {
    for (const auto* text : {"", "2", "us", "-2us", "2 us", "inf us", "infs", "nans", "1e3us",
                             "2xs", "99999999999s"}) {
        EXPECT_THROW(parse_duration("--x", text), UsageError) << text;
    }
}

TEST(OverheadValue, replaces_the_gap_of_that_name) {
    OverheadParameters overheads;
    parse_overhead("kern_ovhd=2us", overheads);
    ASSERT_TRUE(overheads[GapKind::kernel_to_kernel]);
    EXPECT_EQ(overheads[GapKind::kernel_to_kernel]->median, 2us);
    EXPECT_FALSE(overheads[GapKind::h2d_to_h2d]);
}

TEST(OverheadValue, refuses_unknown_names_and_lists_the_known_ones) {
    OverheadParameters overheads;
    EXPECT_THROW(parse_overhead("kern_ovhd", overheads), UsageError);
    try {
        parse_overhead("kernel_ovhd=2us", overheads);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("host2kern_ovhd"));
    }
}

TEST(NumberValue, stays_within_its_limits) {
    EXPECT_EQ(parse_number("--parts", "8", 1, 8), 8U);
    EXPECT_THROW(parse_number("--parts", "9", 1, 8), UsageError);
    EXPECT_THROW(parse_number("--parts", "0", 1, 8), UsageError);
    EXPECT_THROW(parse_number("--parts", "+1", 1, 8), UsageError);
    EXPECT_THROW(parse_number("--parts", "1x", 1, 8), UsageError);
}

TEST(PercentageValue, is_a_plain_decimal_number) {
    EXPECT_DOUBLE_EQ(parse_percentage("--mean-within", "2.5"), 2.5);
    for (const auto* text : {"", "-1", "3%", "1e3", "nan", "1.2.3"}) {
        EXPECT_THROW(parse_percentage("--mean-within", text), UsageError) << text;
    }
}

TEST(OrderList, keeps_the_given_order) {
    EXPECT_THAT(parse_order_list("breadth,depth,breadth"),
                ElementsAre(IssueOrder::breadth, IssueOrder::depth));
    EXPECT_THROW(parse_order_list("deep"), UsageError);
}

TEST(WordValue, is_refused_with_the_words_that_may_be_given) {
    EXPECT_EQ(parse_transform("as-recorded"), Transform::as_recorded);
    try {
        parse_sync_policy("never");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "--sync 'never': expected defer or keep");
    }
}

TEST(BandwidthValue, has_a_decimal_unit) {
    EXPECT_DOUBLE_EQ(parse_bandwidth("--h2d-bandwidth", "25GB/s").bytes_per_s(), 25e9);
    EXPECT_DOUBLE_EQ(parse_bandwidth("--h2d-bandwidth", "1.5MB/s").bytes_per_s(), 1.5e6);
    for (const auto* text : {"25", "0GB/s", "-1GB/s", "GB/s", "25 GB/s", "25GiB/s", "1e9GB/s"}) {
        EXPECT_THROW(parse_bandwidth("--h2d-bandwidth", text), UsageError) << text;
    }
}

TEST(ScaleValue, is_a_name_and_a_factor) {
    const auto scale = parse_scale("--kernel-scale", "a=b=0.5");
    EXPECT_EQ(scale.name, "a=b");
    EXPECT_DOUBLE_EQ(scale.factor, 0.5);
    for (const auto* text : {"scale", "=2", "scale=", "scale=-1", "scale=x"}) {
        EXPECT_THROW(parse_scale("--kernel-scale", text), UsageError) << text;
    }
}

TEST(RangeValue, is_one_of_three_forms) {
    EXPECT_EQ(parse_range("all"), "");
    EXPECT_EQ(parse_range("profiler-api"), "profiler-api");
    EXPECT_EQ(parse_range("nvtx:step 1"), "nvtx:step 1");
    EXPECT_THROW(parse_range("nvtx:"), UsageError);
    EXPECT_THROW(parse_range("first"), UsageError);
}

}  // namespace
}  // namespace overcast
