// `overcast calibrate` where there is nothing to calibrate: a machine without a GPU or driver.
#include "tests/end_to_end/running_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace overcast::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Calibrate, refuses_words_and_options_that_it_does_not_know) {
    const auto word = run_overcast("calibrate h200.json");
    EXPECT_EQ(word.status, 2);
    EXPECT_THAT(word.errors, HasSubstr("'h200.json' is not expected"));
    EXPECT_EQ(run_overcast("calibrate --quik").status, 2);
}

/// CUDA_VISIBLE_DEVICES hides every GPU, where this machine has some.
TEST(Calibrate, says_in_one_line_that_there_is_no_gpu_and_writes_nothing) {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    const TestFolder folder;
    const auto finished = run_overcast("calibrate -o " + folder.file("model.json"));
    unsetenv("CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(finished.status, 1);
    EXPECT_THAT(finished.output, IsEmpty());
    EXPECT_THAT(finished.errors, StartsWith("error: "));
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    EXPECT_FALSE(std::filesystem::exists(folder.file("model.json")));
}

}  // namespace
}  // namespace overcast::test
