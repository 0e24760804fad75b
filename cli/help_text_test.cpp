#include "cli/help_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kHelp = R"(overcast sample: what a sample
shows.

Usage: overcast sample FILE
       overcast sample --quick

First paragraph,
in two lines.

Options:
  -o, --output FILE  where it goes [NAME.json]
  --order LIST       issue order: depth (unit by
                     unit), breadth
  --very-long-name NAME
                     explained below
  --quick            full, or minimal: half of it

  --range RANGE      all or nvtx:NAME [all]

--quick may be given once.

Examples:
  overcast sample run.json
)";

TEST(HelpText, tells_name_purpose_and_usage) {
    const auto help = parse_help(kHelp);
    EXPECT_EQ(help.name, "overcast sample");
    EXPECT_EQ(help.purpose, "what a sample shows");
    EXPECT_THAT(help.usage, ElementsAre("overcast sample FILE", "overcast sample --quick"));
}

TEST(HelpText, tells_options_with_their_values) {
    const auto options = parse_help(kHelp).options();
    ASSERT_EQ(options.size(), 5U);
    EXPECT_EQ(options[0].name, "output");
    EXPECT_EQ(options[0].letter, 'o');
    EXPECT_EQ(options[0].value, "FILE");
    EXPECT_TRUE(options[0].takes_file());
    EXPECT_EQ(options[0].description, "where it goes [NAME.json]");
    EXPECT_EQ(options[1].description, "issue order: depth (unit by unit), breadth");
    EXPECT_EQ(options[2].name, "very-long-name");
    EXPECT_EQ(options[2].value, "NAME");
    EXPECT_EQ(options[2].description, "explained below");
    EXPECT_EQ(options[3].value, "");
}

TEST(HelpText, finds_what_may_be_given) {
    const auto options = parse_help(kHelp).options();
    EXPECT_THAT(options[0].choices, IsEmpty());
    EXPECT_THAT(options[1].choices, ElementsAre("depth", "breadth"));
    EXPECT_THAT(options[2].choices, IsEmpty());
    EXPECT_THAT(options[3].choices, ElementsAre("full", "minimal"));
    EXPECT_THAT(options[4].choices, ElementsAre("all", "nvtx:"));
}

TEST(HelpText, keeps_prose_and_examples_apart) {
    const auto sections = parse_help(kHelp).sections;
    ASSERT_EQ(sections.size(), 4U);
    EXPECT_THAT(sections[0].paragraphs, ElementsAre("First paragraph, in two lines."));
    EXPECT_EQ(sections[1].title, "Options");
    EXPECT_THAT(sections[2].paragraphs, ElementsAre("--quick may be given once."));
    EXPECT_EQ(sections[3].title, "Examples");
    EXPECT_THAT(sections[3].lines, ElementsAre("overcast sample run.json"));
}

}  // namespace
}  // namespace overcast
