#include "tracer/launcher/captured_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace overcast {
namespace {

using ::testing::HasSubstr;

TEST(CapturedProcess, keeps_what_was_printed_and_the_exit_code) {
    const auto result = run_captured({"sh", "-c", "echo out; echo err >&2; exit 3"});
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.errors, "err\n");
    EXPECT_EQ(result.status, 3);
}

TEST(CapturedProcess, changes_the_environment_of_the_child_alone) {
    const auto result = run_captured({"sh", "-c", "echo $OVERCAST_TEST${HOME-none}"},
                                     {{"OVERCAST_TEST", "set-"}, {"HOME", ""}});
    EXPECT_EQ(result.output, "set-none\n");
    EXPECT_EQ(std::getenv("OVERCAST_TEST"), nullptr);
}

TEST(CapturedProcess, reports_a_signal_as_a_shell_does) {
    EXPECT_EQ(run_captured({"sh", "-c", "kill -TERM $$"}).status, 128 + SIGTERM);
}

TEST(CapturedProcess, says_why_a_program_could_not_be_run) {
    const auto result = run_captured({"no-such-program-anywhere"});
    EXPECT_EQ(result.status, 127);
    EXPECT_THAT(result.errors, HasSubstr("no-such-program-anywhere: No such file"));
}

TEST(CapturedProcess, takes_more_output_than_a_pipe_holds) {
    EXPECT_EQ(run_captured({"sh", "-c", "head -c 300000 /dev/zero"}).output.size(), 300'000U);
}

}  // namespace
}  // namespace overcast
