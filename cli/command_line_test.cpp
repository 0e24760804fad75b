#include "cli/command_line.hpp"

#include "cli/help.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace overcast {
namespace {

using ::testing::ElementsAre;

constexpr auto kOptions = std::to_array<Option>({
    {.name = "streams"},
    {.name = "overhead", .repeatable = true},
    {.name = "output", .letter = 'o'},
    {.name = "quiet", .takes_value = false},
});

CommandLine parse(const std::vector<std::string>& arguments) {
    return CommandLine{kOptions, arguments};
}

std::string refusal_of(const std::vector<std::string>& arguments) {
    try {
        parse(arguments);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CommandLine, tells_options_from_words) {
    const auto line =
        parse({"a.json", "--streams", "4", "b.json", "-o", "out", "--quiet", "c.json"});
    EXPECT_THAT(line.words(), ElementsAre("a.json", "b.json", "c.json"));
    EXPECT_EQ(line.value("streams"), "4");
    EXPECT_EQ(line.value("output"), "out");
    EXPECT_TRUE(line.has("quiet"));
    EXPECT_FALSE(line.value("overhead"));
}

TEST(CommandLine, takes_values_behind_an_equals_sign) {
    const auto line = parse({"--streams=1..4", "--overhead=kern_ovhd=2us", "--overhead", "x"});
    EXPECT_EQ(line.value("streams"), "1..4");
    EXPECT_THAT(line.values("overhead"), ElementsAre("kern_ovhd=2us", "x"));
}

TEST(CommandLine, takes_everything_behind_two_dashes_as_words) {
    EXPECT_THAT(parse({"--", "--streams"}).words(), ElementsAre("--streams"));
}

TEST(CommandLine, looks_at_nothing_else_where_help_is_asked_for) {
    EXPECT_TRUE(parse({"--nonsense", "--help"}).asks_for_help());
    EXPECT_FALSE(parse({"a.json"}).asks_for_help());
}

TEST(CommandLine, says_which_option_may_have_been_meant) {
    EXPECT_EQ(refusal_of({"--strems", "4"}),
              "unknown option '--strems'; did you mean '--streams'?");
    EXPECT_EQ(refusal_of({"--strems=4"}), "unknown option '--strems'; did you mean '--streams'?");
    EXPECT_EQ(refusal_of({"--zzz"}), "unknown option '--zzz'");
    EXPECT_EQ(refusal_of({"-x"}), "unknown option '-x'");
}

TEST(CommandLine, does_not_guess_from_the_first_letters) {
    EXPECT_EQ(refusal_of({"--stream", "4"}),
              "unknown option '--stream'; did you mean '--streams'?");
}

TEST(CommandLine, refuses_missing_and_needless_values_and_repetitions) {
    EXPECT_EQ(refusal_of({"--streams"}), "option '--streams' needs a value");
    EXPECT_EQ(refusal_of({"--streams="}), "option '--streams' needs a value");
    EXPECT_EQ(refusal_of({"-o"}), "option '--output' needs a value");
    EXPECT_EQ(refusal_of({"--quiet=yes"}), "option '--quiet' takes no value");
    EXPECT_EQ(refusal_of({"--streams", "1", "--streams", "2"}),
              "option '--streams' is given twice");
}

TEST(Suggestion, forgives_slips_but_does_not_invent) {
    const std::vector<std::string> names{"predict", "show", "trace", "validate"};
    EXPECT_EQ(suggestion("pedict", names), "; did you mean 'predict'?");
    EXPECT_EQ(suggestion("tarce", names), "; did you mean 'trace'?");
    EXPECT_EQ(suggestion("list", names), "");
}

}  // namespace
}  // namespace overcast
