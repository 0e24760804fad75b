#include "report/terminal_text.hpp"

#include "tests/support/terminal_styles.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using ::overcast::testing::kAscii;
using ::overcast::testing::kUnicode;

TEST(TerminalText, aligns_by_characters_not_bytes) {
    EXPECT_EQ(right_aligned("µs", 4), "  µs");
    EXPECT_EQ(left_aligned("×", 3) + "|", "×  |");
    EXPECT_EQ(right_aligned("too long", 3), "too long");
}

TEST(TerminalText, shortens_in_the_middle) {
    EXPECT_EQ(shortened("kernel", 6), "kernel");
    EXPECT_EQ(shortened("a_very_long_name", 8), "a_v..ame");
    EXPECT_EQ(display_width(shortened("µµµµµµµµµµ", 6)), 6U);
}

TEST(TerminalText, wraps_under_its_first_line) {
    EXPECT_EQ(wrapped("one two three four", "key  ", 14),
              "key  one two\n"
              "     three\n"
              "     four\n");
    EXPECT_EQ(wrapped("", "key ", 14), "key \n");
}

TEST(TerminalText, lets_a_word_that_is_too_long_stand_alone) {
    EXPECT_EQ(wrapped("a wonderfully b", "", 6), "a\nwonderfully\nb\n");
}

TEST(TerminalText, removes_control_characters_from_recorded_text) {
    EXPECT_EQ(printable("a\x1b[31mb\nc"), "a?[31mb?c");
    EXPECT_EQ(printable("µ"), "µ");
}

TEST(TerminalText, draws_bars_in_eighths) {
    EXPECT_EQ(bar(0.5, 4, kUnicode), "██");
    EXPECT_EQ(bar(0.53125, 4, kUnicode), "██▏");  // 17 of 32 eighths
    EXPECT_EQ(bar(2.0, 4, kUnicode), "████");
    EXPECT_EQ(bar(0.5, 4, kAscii), "##");
}

TEST(TerminalText, sets_tables_without_blanks_at_line_ends) {
    EXPECT_EQ(text_table({{"name"}, {"count", Align::right}}, {{"a", "1"}, {"longer", ""}}, kAscii),
              "name    count\n"
              "------  -----\n"
              "a           1\n"
              "longer\n");
}

TEST(TerminalText, colours_only_where_asked) {
    EXPECT_EQ(emphasised("x", Emphasis::strong, {.colour = false}), "x");
    EXPECT_EQ(emphasised("x", Emphasis::strong, {.colour = true}), "\x1b[1mx\x1b[0m");
}

}  // namespace
}  // namespace overcast
