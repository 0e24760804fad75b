#include "formats/format_table.hpp"

#include "core/error.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/trace_samples_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace overcast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FormatTable : public ::testing::Test {
protected:
    FormatTable() : folder_{std::filesystem::path{::testing::TempDir()} / "overcast_format_table"} {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~FormatTable() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path file(const std::string& name,
                                             const std::string& text) const {
        std::ofstream{folder_ / name, std::ios::binary} << text;
        return folder_ / name;
    }

    static std::string failure(const std::filesystem::path& path) {
        try {
            read_trace(path);
        } catch (const TraceFormatError& error) {
            return error.what();
        }
        return "";
    }

    std::filesystem::path folder_;
};

TEST_F(FormatTable, content_decides_not_the_name) {
    const auto compressed = folder_ / "trace.json.gz";
    write_chrome_trace(trace_with_every_record(), compressed);
    std::filesystem::rename(compressed, folder_ / "misnamed.txt");
    expect_same_trace(read_trace(folder_ / "misnamed.txt"), trace_with_every_record());
}

TEST_F(FormatTable, a_pipe_is_read_though_it_cannot_be_opened_twice) {
    const auto whole = folder_ / "trace.json";
    write_chrome_trace(trace_with_every_record(), whole);
    const auto pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer{[&] {
        std::ifstream from{whole, std::ios::binary};
        std::ofstream{pipe, std::ios::binary} << from.rdbuf();
    }};
    expect_same_trace(read_trace(pipe), trace_with_every_record());
    writer.join();
}

TEST_F(FormatTable, other_files_are_told_what_was_expected) {
    EXPECT_THAT(failure(file("README.md", "# Overcast\n")),
                AllOf(HasSubstr("README.md is not a trace: expected Chrome/Kineto JSON"),
                      Not(HasSubstr("\n"))));
}

TEST_F(FormatTable, an_empty_file_is_called_empty) {
    EXPECT_THAT(failure(file("empty.json", "")), HasSubstr("empty.json is empty"));
}

TEST_F(FormatTable, a_missing_file_is_called_missing) {
    EXPECT_THAT(failure(folder_ / "nothing.json"),
                AllOf(HasSubstr("cannot open"), HasSubstr("nothing.json: No such file")));
}

TEST_F(FormatTable, a_directory_is_called_a_directory) {
    EXPECT_THAT(failure(folder_), HasSubstr("is a directory"));
}

TEST_F(FormatTable, json_that_is_no_trace_is_called_so) {
    EXPECT_THAT(failure(file("package.json", R"({"name":"x","list":[1,{"a":null}]})")),
                HasSubstr("no \"traceEvents\""));
}

}  // namespace
}  // namespace overcast
