// Traces of other recorders, through the command.
#include "tests/end_to_end/running_command.hpp"
#include "tests/support/sqlite_sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

namespace overcast::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string nsys_export(const TestFolder& folder, const std::string& sample) {
    const auto file = folder.file(sample + ".sqlite");
    ::overcast::testing::write_database(file, ::overcast::testing::nsys_sample_sql(sample));
    return file;
}

/// Without the line that names the file, which alone may differ.
std::string behind_first_line(const std::string& text) { return text.substr(text.find('\n')); }

TEST(Convert, what_was_converted_is_predicted_alike) {
    const TestFolder folder;
    const auto original = nsys_export(folder, "two_processes");
    const auto converted = folder.file("converted.json.gz");
    const auto finished = run_overcast("convert " + original + " " + converted);
    EXPECT_EQ(finished.status, 0) << finished.errors;
    EXPECT_THAT(finished.output, HasSubstr("4 device operations, 4 calls, 0 waits, 0 ranges"));
    EXPECT_THAT(finished.output, HasSubstr("warning: the recorder left out hardware channels"));
    for (const std::string command : {"show ", "predict --transform as-recorded "}) {
        const auto before = run_overcast(command + original);
        const auto after = run_overcast(command + converted);
        EXPECT_EQ(before.status, 0) << before.errors;
        EXPECT_EQ(behind_first_line(after.output), behind_first_line(before.output));
    }
}

TEST(Convert, process_and_device_choose_what_is_predicted) {
    const TestFolder folder;
    const auto file = nsys_export(folder, "two_processes");
    const auto of_11 =
        run_overcast("predict --transform as-recorded --process 11 --device 1 " + file);
    EXPECT_EQ(of_11.status, 0) << of_11.errors;
    EXPECT_THAT(of_11.output, HasSubstr("NVIDIA A100-SXM4-40GB"));
    const auto of_22 =
        run_overcast("predict --transform as-recorded --process 22 --device 0 " + file);
    EXPECT_EQ(of_22.status, 0) << of_22.errors;
    EXPECT_THAT(of_22.output, HasSubstr("NVIDIA H200"));
}

TEST(Convert, shows_every_sample_within_80_columns) {
    const TestFolder folder;
    for (const std::string sample : {"two_streams", "old_schema", "two_processes"}) {
        const auto shown = run_overcast("show " + nsys_export(folder, sample));
        EXPECT_EQ(shown.status, 0) << shown.errors;
        std::istringstream lines{behind_first_line(shown.output)};
        for (std::string line; std::getline(lines, line);) {
            const auto columns = std::ranges::count_if(
                line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; });
            EXPECT_LE(columns, 80) << line;
        }
    }
}

TEST(Convert, refuses_what_it_cannot_write) {
    const TestFolder folder;
    const auto trace = folder.recording("run.json.gz");
    const auto wrong_name = run_overcast("convert " + trace + " " + folder.file("run.sqlite"));
    EXPECT_EQ(wrong_name.status, 2);
    EXPECT_THAT(wrong_name.errors, HasSubstr("must end in .json or .json.gz"));
    const auto same = run_overcast("convert " + trace + " " + trace);
    EXPECT_EQ(same.status, 2);
    EXPECT_THAT(same.errors, HasSubstr("would replace what it is made from"));
    EXPECT_EQ(run_overcast("convert " + trace).status, 2);
    const auto nowhere = run_overcast("convert " + trace + " " + folder.file("none/run.json"));
    EXPECT_EQ(nowhere.status, 1);
    EXPECT_THAT(nowhere.errors, HasSubstr("none/run.json"));
}

TEST(Convert, a_report_of_nsys_gives_the_command_that_exports_it) {
    const TestFolder folder;
    const auto finished = run_overcast("predict " + folder.file("run.nsys-rep", "opaque"));
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.output, IsEmpty());
    EXPECT_THAT(finished.errors,
                AllOf(HasSubstr("nsys export --type sqlite -o " + folder.file("run.sqlite")),
                      Not(HasSubstr("\n\n"))));
}

TEST(Convert, a_database_through_a_pipe_is_refused) {
    const TestFolder folder;
    const auto file = nsys_export(folder, "old_schema");
    const auto pipe = folder.file("pipe");
    ASSERT_EQ(std::system(("mkfifo " + pipe + " && (cat " + file + " > " + pipe + " &)").c_str()),
              0);
    const auto finished = run_overcast("show " + pipe);
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.errors, HasSubstr("is no plain file"));
}

}  // namespace
}  // namespace overcast::test
