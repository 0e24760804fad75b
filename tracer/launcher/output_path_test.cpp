#include "tracer/launcher/output_path.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace overcast {
namespace {

TEST(OutputPath, is_named_after_the_program) {
    EXPECT_EQ(default_output("/opt/bin/app"), "app.overcast.json.gz");
    EXPECT_EQ(default_output("./a.out"), "a.out.overcast.json.gz");
}

TEST(OutputPath, has_the_process_id_where_the_pattern_says_so) {
    EXPECT_EQ(output_for("out/run-%p.json", 42, true), "out/run-42.json");
    EXPECT_EQ(output_for("%p/%p-%p.json.gz", 42, false), "%p/42-42.json.gz");
}

TEST(OutputPath, gets_the_process_id_before_the_extension_for_all_but_the_first) {
    EXPECT_EQ(output_for("trace.json.gz", 42, true), "trace.json.gz");
    EXPECT_EQ(output_for("trace.json.gz", 42, false), "trace.42.json.gz");
    EXPECT_EQ(output_for("a.b/trace.json", 42, false), "a.b/trace.42.json");
    EXPECT_EQ(output_for("a.b/trace", 42, false), "a.b/trace.42");
}

TEST(OutputPath, that_cannot_be_written_is_refused_before_the_program_runs) {
    EXPECT_THROW(check_writable("/no/such/folder/trace.json"), Error);
    EXPECT_THROW(check_writable("/proc/trace.json"), Error);
    EXPECT_THROW(check_writable(::testing::TempDir()), Error);
    EXPECT_THROW(check_writable("/dev/null"), Error);
}

TEST(OutputPath, that_can_be_written_is_left_as_it_was) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "output_path_test";
    std::filesystem::create_directory(folder);
    check_writable(folder / "new.json");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    const auto old = folder / "old.json";
    std::ofstream{old} << "kept";
    check_writable(old);
    EXPECT_EQ(std::filesystem::file_size(old), 4U);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace overcast
