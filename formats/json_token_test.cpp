#include "formats/json_token.hpp"

#include "formats/chrome_event_writer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

std::optional<std::int64_t> in_ns(std::string_view microseconds) {
    const auto parsed = parse_microseconds(microseconds);
    return parsed ? std::optional{parsed->count()} : std::nullopt;
}

TEST(ParseMicroseconds, keeps_every_nanosecond) {
    EXPECT_EQ(in_ns("0"), 0);
    EXPECT_EQ(in_ns("0.001"), 1);
    EXPECT_EQ(in_ns("12.34"), 12'340);
    EXPECT_EQ(in_ns("-7.005"), -7'005);
    // 17 digits: a double could not hold the last ones.
    EXPECT_EQ(in_ns("1743521598123456.789"), 1'743'521'598'123'456'789);
}

TEST(ParseMicroseconds, rounds_further_digits_to_the_nearest) {
    EXPECT_EQ(in_ns("1.0004"), 1'000);
    EXPECT_EQ(in_ns("1.0005"), 1'001);
    EXPECT_EQ(in_ns("1.99999999999999999999"), 2'000);
    EXPECT_EQ(in_ns("-1.0005"), -1'001);
}

TEST(ParseMicroseconds, takes_exponents) {
    EXPECT_EQ(in_ns("1.5e3"), 1'500'000);
    EXPECT_EQ(in_ns("2E-3"), 2);
}

TEST(ParseMicroseconds, refuses_what_is_no_finite_time) {
    for (const auto* text : {"",     "-",        ".5",    "1.",    "1.x",
                             "+1",   "1 ",       " 1",    "1.2.3", "inf",
                             "NaN",  "Infinity", "1e400", "1e30",  "9223372036854775807",
                             "0x10", "--1",      "1e",    "1e5x",  "true"}) {
        EXPECT_EQ(in_ns(text), std::nullopt) << text;
    }
}

TEST(ParseWhole, refuses_all_but_whole_numbers_of_its_type) {
    EXPECT_EQ(parse_whole<std::uint32_t>("4294967295"), 4'294'967'295U);
    EXPECT_EQ(parse_whole<std::int32_t>("-2147483648"), -2'147'483'647 - 1);
    for (const auto* text : {"", "4294967296", "-1", "1.0", "1e3", " 1", "1 ", "x"}) {
        EXPECT_EQ(parse_whole<std::uint32_t>(text), std::nullopt) << text;
    }
}

TEST(ParseAddress, takes_hexadecimal_and_decimal) {
    EXPECT_EQ(parse_address("0xfffffffffffffff0"), 0xffff'ffff'ffff'fff0U);
    EXPECT_EQ(parse_address("140031931432960"), 140'031'931'432'960U);
    for (const auto* text : {"", "0x", "0xg", "0x1ffffffffffffffff", "-1"}) {
        EXPECT_EQ(parse_address(text), std::nullopt) << text;
    }
}

TEST(ParseTriple, takes_exactly_three_numbers) {
    const auto triple = parse_triple("[ 1,\n2 , 4294967295 ]");
    ASSERT_TRUE(triple);
    EXPECT_EQ(triple->x, 1U);
    EXPECT_EQ(triple->y, 2U);
    EXPECT_EQ(triple->z, 4'294'967'295U);
    for (const auto* text : {"", "[", "[]", "[1]", "[1,2]", "[1,2,", "[1,2,3", "[1,2,3,4]",
                             "[1,2,x]", "[1,2,-3]", "[1,2,4294967296]", "1,2,3"}) {
        EXPECT_FALSE(parse_triple(text)) << text;
    }
}

TEST(JsonString, escapes_what_json_forbids_and_replaces_what_is_no_utf8) {
    EXPECT_EQ(json_string("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\u000a\\u0001\"");
    EXPECT_EQ(json_string("größe 𝛍"), "\"größe 𝛍\"");
    // A lone continuation, a cut sequence, an overlong form and a surrogate: one mark per byte.
    EXPECT_EQ(json_string("\x80"), "\"\xef\xbf\xbd\"");
    EXPECT_EQ(json_string("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    EXPECT_EQ(json_string("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(Microseconds, have_three_decimals_whatever_the_sign) {
    const auto text = [](std::int64_t count) {
        fmt::memory_buffer buffer;
        Microseconds{Duration{count}}.append_to(buffer);
        return fmt::to_string(buffer);
    };
    EXPECT_EQ(text(0), "0.000");
    EXPECT_EQ(text(1'234'567), "1234.567");
    EXPECT_EQ(text(-7), "-0.007");
    EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
}

}  // namespace
}  // namespace overcast
