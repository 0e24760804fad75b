#include "validate/cases/harness/options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace overcast::cases {
namespace {

std::vector<CaseDefinition> two_cases() {
    CaseDefinition whole;
    whole.name = "whole";
    whole.effect = "an effect";
    whole.parameters = {{"units", "units of work", 2, 20, 1}, {"checked", "a switch", 0, 1, 1, 0}};
    CaseDefinition divisible = whole;
    divisible.name = "divisible";
    divisible.can_be_split = true;
    return {whole, divisible};
}

const std::vector<CaseDefinition> kCases = two_cases();

Options parse(const std::vector<std::string>& words) { return parse_options(words, kCases); }

std::string refusal(const std::vector<std::string>& words) {
    try {
        parse(words);
    } catch (const OptionError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CaseOptions, a_name_alone_runs_the_h200_sizes_on_one_stream) {
    const Options options = parse({"whole"});
    EXPECT_EQ(options.command, Command::run);
    EXPECT_EQ(options.definition->name, "whole");
    EXPECT_EQ(options.preset, Preset::h200);
    EXPECT_EQ(options.values["units"], 20U);
    EXPECT_EQ(options.streams, 1U);
    EXPECT_EQ(options.order, Order::depth);
    EXPECT_EQ(options.transform, Transform::distribute);
    EXPECT_EQ(options.parts, 1U);
    EXPECT_EQ(options.memory, HostMemory::pinned);
    EXPECT_EQ(options.repetitions, 15U);
    EXPECT_FALSE(options.json || options.profile_one_pass || options.mark_units);
}

TEST(CaseOptions, every_choice_can_be_made) {
    const Options options =
        parse({"divisible", "--streams", "5", "--order", "recorded", "--transform", "split",
               "--parts", "3", "--memory", "pageable", "--repetitions", "2", "--json"});
    EXPECT_EQ(options.streams, 5U);
    EXPECT_EQ(options.order, Order::recorded);
    EXPECT_EQ(options.transform, Transform::split);
    EXPECT_EQ(options.parts, 3U);
    EXPECT_EQ(options.memory, HostMemory::pageable);
    EXPECT_EQ(options.repetitions, 2U);
    EXPECT_TRUE(options.json);
    EXPECT_TRUE(parse({"whole", "--profile-one-pass"}).profile_one_pass);
    EXPECT_TRUE(parse({"whole", "--mark-units"}).mark_units);
}

TEST(CaseOptions, a_parameter_overrides_its_preset_wherever_it_stands) {
    const Options options = parse({"whole", "--units", "7", "--preset", "seed"});
    EXPECT_EQ(options.preset, Preset::seed);
    EXPECT_EQ(options.values["units"], 7U);
    EXPECT_EQ(options.values["checked"], 0U);  // of the preset seed
    EXPECT_EQ(parse({"whole", "--preset", "small"}).values["checked"], 1U);
}

TEST(CaseOptions, a_unit_is_split_into_as_many_parts_as_streams_unless_told) {
    EXPECT_EQ(parse({"divisible", "--transform", "split", "--streams", "4"}).parts, 4U);
    EXPECT_EQ(parse({"divisible", "--streams", "4"}).parts, 1U);
}

TEST(CaseOptions, zero_is_taken_where_the_parameter_allows_it) {
    EXPECT_EQ(parse({"whole", "--checked", "0"}).values["checked"], 0U);
    EXPECT_EQ(refusal({"whole", "--units", "0"}), "--units needs a number of at least 1, not '0'");
}

TEST(CaseOptions, what_is_wrong_is_said) {
    EXPECT_EQ(refusal({}), "name a case, or list; see overcast-cases --help");
    EXPECT_EQ(refusal({"nothing"}), "there is no case 'nothing'; known: whole, divisible");
    EXPECT_EQ(refusal({"whole", "--streams", "0"}),
              "--streams needs a number of at least 1, not '0'");
    EXPECT_EQ(refusal({"whole", "--streams", "1,2"}),
              "--streams needs a number of at least 1, not '1,2'");
    EXPECT_EQ(refusal({"whole", "--streams", "1025"}), "--streams must be at most 1024, not 1025");
    EXPECT_EQ(refusal({"whole", "--units"}), "--units needs a value");
    EXPECT_EQ(refusal({"whole", "--units", "-3"}),
              "--units needs a number of at least 1, not '-3'");
    EXPECT_EQ(refusal({"whole", "--order", "width"}),
              "--order is depth, breadth or recorded, not 'width'");
    EXPECT_EQ(refusal({"whole", "--memory", "managed"}),
              "--memory is pinned or pageable, not 'managed'");
    EXPECT_EQ(refusal({"whole", "--preset", "a100"}),
              "--preset is h200, seed or small, not 'a100'");
    EXPECT_EQ(refusal({"whole", "--what"}),
              "unknown option '--what'; see overcast-cases whole --help");
    EXPECT_EQ(refusal({"list", "--streams"}), "list knows no option but --json, not '--streams'");
}

TEST(CaseOptions, options_that_do_not_fit_together_are_refused) {
    EXPECT_EQ(refusal({"whole", "--transform", "split"}), "a unit of 'whole' cannot be split");
    EXPECT_EQ(refusal({"divisible", "--parts", "2"}), "--parts belongs to --transform split");
    EXPECT_EQ(refusal({"whole", "--json", "--profile-one-pass"}),
              "--json shows times, and --profile-one-pass takes none: give one of them");
    const std::string marks =
        "--mark-units needs --order depth, --transform distribute and one stream: elsewhere the "
        "steps of a unit do not follow each other";
    EXPECT_EQ(refusal({"whole", "--mark-units", "--streams", "2"}), marks);
    EXPECT_EQ(refusal({"whole", "--mark-units", "--order", "breadth"}), marks);
    EXPECT_EQ(refusal({"whole", "--mark-units", "--transform", "replicate"}), marks);
}

TEST(CaseOptions, a_stream_for_each_unit_can_be_asked_for) {
    EXPECT_TRUE(parse({"whole", "--streams", "each"}).stream_per_unit);
    EXPECT_FALSE(parse({"whole", "--streams", "each", "--streams", "3"}).stream_per_unit);
    EXPECT_NE(refusal({"whole", "--streams", "each", "--transform", "replicate"}), "accepted");
    EXPECT_NE(refusal({"whole", "--streams", "each", "--mark-units"}), "accepted");
}

TEST(CaseOptions, a_sweep_has_one_member_per_value) {
    const auto members = members_of(parse({"whole", "--sweep", "units=3..5", "--checked", "0"}));
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[0].values["units"], 3U);
    EXPECT_EQ(members[2].values["units"], 5U);
    EXPECT_EQ(members[2].values["checked"], 0U);
    EXPECT_EQ(members[2].range, "units=5");
    EXPECT_EQ(members_of(parse({"whole", "--sweep", "units=4..4"})).size(), 1U);
    const auto alone = members_of(parse({"whole"}));
    ASSERT_EQ(alone.size(), 1U);
    EXPECT_EQ(alone[0].range, "");
}

TEST(CaseOptions, a_sweep_that_makes_no_sense_is_refused) {
    EXPECT_EQ(refusal({"whole", "--sweep", "units"}), "--sweep is NAME=FIRST..LAST, not 'units'");
    EXPECT_EQ(refusal({"whole", "--sweep", "size=1..2"}),
              "--sweep: 'whole' has no parameter 'size'");
    EXPECT_EQ(refusal({"whole", "--sweep", "units=0..2"}),
              "--sweep needs a number of at least 1, not '0'");
    EXPECT_EQ(refusal({"whole", "--sweep", "units=3..2"}),
              "--sweep needs a number of at least 3, not '2'");
    EXPECT_EQ(refusal({"whole", "--sweep", "units=1..2", "--units", "4"}),
              "--sweep sets units: give it no other value");
}

TEST(CaseOptions, list_and_help_are_commands) {
    EXPECT_EQ(parse({"list"}).command, Command::list);
    EXPECT_FALSE(parse({"list"}).json);
    EXPECT_TRUE(parse({"list", "--json"}).json);
    EXPECT_EQ(parse({"--help"}).command, Command::help);
    const Options help = parse({"divisible", "--units", "--help"});
    EXPECT_EQ(help.command, Command::case_help);
    EXPECT_EQ(help.definition->name, "divisible");
}

TEST(CaseHelp, shows_every_case_and_every_parameter_with_its_presets) {
    const std::string all = help_text(kCases);
    EXPECT_NE(all.find("  whole      an effect\n"), std::string::npos) << all;
    EXPECT_NE(all.find("  divisible  an effect\n"), std::string::npos) << all;
    const std::string one = help_text(kCases.front());
    EXPECT_NE(one.find("--units              20           2           1  units of work\n"),
              std::string::npos)
        << one;
    EXPECT_NE(one.find("--checked             1           0           1  a switch\n"),
              std::string::npos)
        << one;
}

TEST(CaseValues, are_found_by_name_and_must_fit_where_they_are_counted) {
    const Values values{{{"large", std::uint64_t{1} << 32}, {"fits", 0xFFFFFFFF}}};
    EXPECT_EQ(values["large"], std::uint64_t{1} << 32);
    EXPECT_EQ(values.count("fits"), 0xFFFFFFFFU);
    EXPECT_THROW((void)values.count("large"), OptionError);
    EXPECT_THROW((void)values["missing"], std::logic_error);
}

}  // namespace
}  // namespace overcast::cases
