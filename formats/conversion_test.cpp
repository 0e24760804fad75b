// Whatever the format of a trace, written in Overcast's own and read again it is the same.
#include "core/temporary_folder.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/format_table.hpp"
#include "formats/trace_samples_test.hpp"
#include "tests/support/shared_samples.hpp"
#include "tests/support/sqlite_sample.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

namespace overcast {
namespace {

void expect_conversion_loses_nothing(const std::filesystem::path& file) {
    SCOPED_TRACE(file);
    const TemporaryFolder folder;
    const auto original = read_trace(file);
    ASSERT_FALSE(original.activities.empty());
    for (const auto* const name : {"converted.json", "converted.json.gz"}) {
        write_chrome_trace(original, folder.path() / name);
        expect_same_trace(read_trace(folder.path() / name), original);
    }
}

TEST(Conversion, loses_nothing_of_any_format) {
    const std::filesystem::path samples = std::filesystem::path{OVERCAST_SOURCE_DIR} / "tests/data";
    expect_conversion_loses_nothing(samples / "kineto/two_streams_graph.json");
    expect_conversion_loses_nothing(samples / "kineto/whole_microseconds.json");
    expect_conversion_loses_nothing(samples / "nvprof/vecadd_23000_1stream.csv");
    expect_conversion_loses_nothing(samples / "nvprof/vecadd_23000_2streams.csv");
    const TemporaryFolder folder;
    for (const auto* const sample : {"two_streams", "old_schema", "two_processes"}) {
        const auto database = folder.path() / (std::string{sample} + ".sqlite");
        ::overcast::testing::write_database(database, ::overcast::testing::nsys_sample_sql(sample));
        expect_conversion_loses_nothing(database);
    }
}

TEST(Conversion, loses_nothing_of_traces_of_others) {
    for (const auto& file : ::overcast::testing::shared_traces("Conversion")) {
        expect_conversion_loses_nothing(file);
    }
}

}  // namespace
}  // namespace overcast
