// What a user meets first: help, version, and where output goes.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Command, says_its_version) {
    const auto finished = run_overcast("--version");
    EXPECT_EQ(finished.status, 0);
    EXPECT_THAT(finished.output, ::testing::MatchesRegex("overcast [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Command, helps_for_each_subcommand_in_both_ways_and_within_80_columns) {
    for (const std::string subcommand :
         {"", "trace", "predict", "show", "convert", "validate", "doctor", "calibrate"}) {
        const auto help = run_overcast(subcommand + " --help");
        EXPECT_EQ(help.status, 0);
        EXPECT_EQ(help.output, run_overcast("help " + subcommand).output);
        EXPECT_THAT(help.output, HasSubstr("Usage: overcast"));
        EXPECT_THAT(help.output, HasSubstr("Example"));
        std::istringstream lines{help.output};
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), 82U) << line;  // an ellipsis has three bytes
        }
    }
}

TEST(Command, leaves_the_help_of_the_traced_program_to_it) {
    const auto finished = run_overcast("trace -- echo --help");
    EXPECT_THAT(finished.output, Not(HasSubstr("Usage: overcast")));
}

TEST(Command, prints_no_colours_into_a_pipe_and_no_unicode_into_another_locale) {
    const TestFolder folder;
    const auto finished = run_overcast("predict " + folder.recording());
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, Not(HasSubstr("\x1b")));
}

TEST(Command, writes_to_a_file_instead_of_standard_output) {
    const TestFolder folder;
    const auto trace = folder.recording();
    const auto printed = run_overcast("predict " + trace + " --format csv");
    const auto written =
        run_overcast("predict " + trace + " --format csv -o " + folder.file("out.csv"));
    EXPECT_EQ(written.status, 0) << written.errors;
    EXPECT_THAT(written.output, IsEmpty());
    EXPECT_EQ(read_file(folder.file("out.csv")), printed.output);
}

TEST(Command, ends_quietly_where_nobody_reads_on) {
    const TestFolder folder;
    const auto finished = run_overcast("show " + folder.recording() + " | head -n 1");
    EXPECT_THAT(finished.output, StartsWith("trace "));
    EXPECT_THAT(finished.errors, IsEmpty());
}

TEST(Command, shows_what_a_trace_holds) {
    const TestFolder folder;
    const auto finished = run_overcast("show " + folder.recording());
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("Device work: 24 operations"));
    EXPECT_THAT(finished.output, HasSubstr("8 repeated units"));
    EXPECT_THAT(finished.output, HasSubstr("scale"));
    EXPECT_THAT(finished.output, HasSubstr("host2kern_ovhd"));
}

}  // namespace
}  // namespace overcast::test
