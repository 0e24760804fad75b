// What the reader of Nsight Systems' databases refuses, and how it says so.
#include "formats/nsys_sqlite_reader.hpp"

#include "core/error.hpp"
#include "formats/format_table.hpp"
#include "tests/support/sqlite_sample.hpp"
#include "tests/support/temporary_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace overcast {
namespace {

using ::overcast::testing::read_sql;
using ::overcast::testing::TemporaryFile;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal_of(const std::filesystem::path& file) {
    try {
        read_trace(file);
    } catch (const TraceFormatError& error) {
        return error.what();
    }
    return "it was read";
}

std::string refusal_of_sql(const std::string& sql) {
    const TemporaryFile file{"refused.sqlite"};
    ::overcast::testing::write_database(file.path(), sql);
    return refusal_of(file.path());
}

TEST(NsysRefusals, nothing_is_written_beside_the_file) {
    const auto folder = std::filesystem::path{::testing::TempDir()} / "overcast_untouched";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    // Text that means something in a URI; and a database that was left in write-ahead mode.
    const auto file = folder / "a%20b?c#d.sqlite";
    ::overcast::testing::write_database(
        file, "PRAGMA journal_mode = WAL;" + ::overcast::testing::nsys_sample_sql("two_streams"));
    const auto written = std::filesystem::last_write_time(file);
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    EXPECT_EQ(read_trace(file).activities.size(), 5U);
    EXPECT_EQ(std::filesystem::last_write_time(file), written);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder}, {}), 1);
    std::filesystem::remove_all(folder);
}

TEST(NsysRefusals, a_report_that_only_nsys_reads_is_refused_with_the_command_that_exports_it) {
    for (const auto* const name : {"run.nsys-rep", "run.qdrep"}) {
        const TemporaryFile file{name};
        std::ofstream{file.path()} << "whatever";
        EXPECT_THAT(refusal_of(file.path()), HasSubstr("nsys export --type sqlite -o"));
        EXPECT_THAT(refusal_of(file.path()), HasSubstr("overcast_run.sqlite"));
    }
}

TEST(NsysRefusals, another_database_is_refused) {
    EXPECT_THAT(refusal_of_sql("CREATE TABLE photos (id INTEGER);"),
                HasSubstr("no export of Nsight Systems"));
}

TEST(NsysRefusals, a_truncated_database_is_refused_by_one_line) {
    const TemporaryFile file{"cut.sqlite"};
    ::overcast::testing::write_database(file.path(),
                                        ::overcast::testing::nsys_sample_sql("two_streams"));
    const auto size = std::filesystem::file_size(file.path());
    for (const auto kept : {size / 2, std::uintmax_t{100}, std::uintmax_t{16}}) {
        std::filesystem::resize_file(file.path(), kept);
        const auto refusal = refusal_of(file.path());
        EXPECT_THAT(refusal, HasSubstr("was the export interrupted"));
        EXPECT_THAT(refusal, Not(HasSubstr("\n")));
    }
}

TEST(NsysRefusals, a_compressed_database_is_refused_and_told_what_to_do) {
    const TemporaryFile file{"compressed.sqlite.gz"};
    // A stored block with the 16 bytes that every database starts with, and its checksum.
    constexpr std::string_view kGzip{
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x01\x10\x00\xef\xff"
        "SQLite format 3\x00\x0b\xe0\xf6\xf4\x10\x00\x00\x00",
        39};
    std::ofstream{file.path(), std::ios::binary} << kGzip;
    EXPECT_THAT(refusal_of(file.path()), HasSubstr("gunzip"));
}

TEST(NsysRefusals, a_value_of_the_wrong_type_is_named_with_table_row_and_column) {
    const auto sample = ::overcast::testing::nsys_sample_sql("two_streams");
    EXPECT_THAT(
        refusal_of_sql(sample + "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 'many' WHERE "
                                "correlationId = 1;"),
        HasSubstr("table CUPTI_ACTIVITY_KIND_MEMCPY, row 2: \"bytes\" must be a whole"));
    EXPECT_THAT(refusal_of_sql(sample + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = -1;"),
                HasSubstr("\"gridX\" must be a whole number from 0 to 4294967295, not -1"));
    EXPECT_THAT(refusal_of_sql(sample + "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = -1 << 60;"),
                HasSubstr("\"start\" is no possible time"));
    EXPECT_THAT(refusal_of_sql(sample + "UPDATE StringIds SET value = x'00';"),
                HasSubstr("table StringIds, row 1: \"value\" must be text"));
}

TEST(NsysRefusals, a_view_in_place_of_a_table_is_not_run) {
    // What it computes has no end.
    const auto refusal = refusal_of_sql(
        "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (VALUES (1) UNION "
        "ALL "
        "SELECT start + 1 FROM n) SELECT * FROM n;");
    EXPECT_THAT(refusal, HasSubstr("no export of Nsight Systems"));
}

TEST(NsysRefusals, an_export_without_cuda_work_is_an_empty_trace) {
    const auto trace = read_sql("CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);");
    EXPECT_TRUE(trace.activities.empty());
    EXPECT_TRUE(std::ranges::any_of(
        trace.warnings, [](const Warning& warning) { return warning.code == "missing-calls"; }));
}

}  // namespace
}  // namespace overcast
