// Every failure is one `error:` line that helps, and an exit status that says whose fault it was.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

void expect_error(const std::string& arguments, int status, const std::string& text) {
    const auto finished = run_overcast(arguments);
    EXPECT_EQ(finished.status, status) << arguments;
    EXPECT_THAT(finished.output, IsEmpty()) << arguments;
    EXPECT_THAT(finished.errors, ::testing::StartsWith("error: ")) << arguments;
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(text)) << arguments;
}

TEST(Errors, of_usage_have_status_2_and_say_what_may_be_given) {
    expect_error("", 2, "see 'overcast --help'");
    expect_error("pedict", 2, "did you mean 'predict'?");
    expect_error("help pedict", 2, "did you mean 'predict'?");
    expect_error("predict", 2, "no trace given");
    expect_error("predict x --strems 4", 2,
                 "predict: unknown option '--strems'; did you mean '--streams'?");
    expect_error("predict x --streams 0", 2, "1,2,4,8 or 1..16");
    expect_error("predict x --streams", 2, "needs a value");
    expect_error("predict x --order deep", 2, "expected depth, breadth or recorded");
    expect_error("predict x --transform dealt", 2, "expected distribute");
    expect_error("predict x --unit some", 2, "count:K");
    expect_error("predict x --without gravity", 2, "duplex");
    expect_error("predict x --overhead kern_ovhd=2", 2, "2us");
    expect_error("predict x --baseline oracle", 2,
                 "known are serial, ideal-overlap, trans-kernel-model");
    expect_error("predict x --format xml", 2, "expected table, json or csv");
    expect_error("predict x --parts 2", 2, "--transform split");
    expect_error("predict x y --timeline t.json", 2, "--timeline takes one trace");
    expect_error("predict x --text-timeline --format json", 2, "belongs to --format table");
    expect_error("show", 2, "no trace given");
    expect_error("validate --replay", 2, "no folder");
    expect_error("validate --case pipelin", 2, "known: pipeline, ");
    expect_error("validate --replay x --record y", 2, "--record belongs to a run on a GPU");
}

TEST(Errors, of_input_have_status_1_and_name_the_file) {
    const TestFolder folder;
    expect_error("predict nothing.json", 1, "nothing.json");
    expect_error("predict " OVERCAST_SOURCE_DIR "/README.md", 1, "README.md");
    expect_error("predict " + folder.file("empty.json", ""), 1, "empty.json");
    expect_error("predict " + folder.file("object.json", "{}"), 1, "object.json");
    expect_error("predict " + folder.file("cut.json", R"({"traceEvents": [{"ph": "X", )"), 1,
                 "cut.json");
    expect_error("predict " + folder.file("cut.json.gz", "\x1f\x8b\x08"), 1, "cut.json.gz");
    expect_error("predict " + folder.file(""), 1, "directory");
    expect_error("show nothing.json", 1, "nothing.json");
    expect_error("validate --replay " + folder.file(""), 1, "trace.json");
}

TEST(Errors, of_a_device_model_name_it) {
    const TestFolder folder;
    const auto trace = folder.recording();
    expect_error("predict " + trace + " --device-model nvidia-h999", 1, "nvidia-h999");
    expect_error("predict " + trace + " --device-model " + folder.file("model.json", "{"), 1,
                 "model.json");
}

TEST(Errors, of_output_say_where_and_why) {
    const TestFolder folder;
    const auto predict = "predict " + folder.recording() + " --streams 1";
    expect_error(predict + " -o /nonexistent/out.txt", 1, "/nonexistent/out.txt");
    expect_error(predict + " --timeline /nonexistent/t.json", 1, "/nonexistent/t.json");
    expect_error(predict + " >/dev/full", 1, "standard output");
    expect_error(predict + " >&-", 1, "standard output");
}

TEST(Errors, in_one_of_several_traces_do_not_lose_the_others) {
    const TestFolder folder;
    const auto finished =
        run_overcast("predict nothing.json " + folder.recording() + " --streams 1 --format json");
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.errors, HasSubstr("nothing.json"));
    EXPECT_THAT(finished.output, HasSubstr("\"wall_us\""));
}

TEST(Errors, of_usage_that_only_a_trace_can_show_name_that_trace) {
    const TestFolder folder;
    const auto trace = folder.recording();
    expect_error("predict " + trace + " --unit nvtx:absent", 2, "absent");
    const auto both = run_overcast("predict " + trace + " " + trace + " --unit nvtx:absent");
    EXPECT_EQ(both.status, 2);
    EXPECT_EQ(std::ranges::count(both.errors, '\n'), 2) << both.errors;
    EXPECT_THAT(both.errors, HasSubstr("run.json.gz: "));
}

TEST(Errors, of_trace_have_status_125_and_127) {
    EXPECT_EQ(run_overcast("trace").status, 125);
    EXPECT_EQ(run_overcast("trace --nonsense -- true").status, 125);
    EXPECT_EQ(run_overcast("trace --range some -- true").status, 125);
    EXPECT_EQ(run_overcast("trace -- /nonexistent/program").status, 127);
}

TEST(Errors, of_trace_leave_the_exit_status_of_the_program_alone) {
    const TestFolder folder;
    EXPECT_EQ(run_overcast("trace -o " + folder.file("t.json") + " -- sh -c 'exit 7'").status, 7);
    EXPECT_EQ(run_overcast("trace -o " + folder.file("t.json") + " sh -c 'kill -9 $$'").status,
              128 + 9);
}

}  // namespace
}  // namespace overcast::test
