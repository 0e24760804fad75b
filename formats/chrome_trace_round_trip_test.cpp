#include "formats/chrome_trace_reader.hpp"
#include "formats/chrome_trace_writer.hpp"
#include "formats/trace_samples_test.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace overcast {
namespace {

std::string write_to_text(const Trace& trace) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_trace(trace, sink);
    return text.str();
}

Trace read_from_text(const std::string& text) {
    MemorySource source{text};
    return read_chrome_trace(source, "sample.json");
}

TEST(ChromeTrace, every_kind_of_record_survives_write_and_read) {
    const auto original = trace_with_every_record();
    expect_same_trace(read_from_text(write_to_text(original)), original);
}

TEST(ChromeTrace, empty_trace_survives_write_and_read) {
    Trace empty;
    empty.producer = "overcast 0.1.0";
    empty.range = "profiler-api";
    expect_same_trace(read_from_text(write_to_text(empty)), empty);
}

TEST(ChromeTrace, writing_what_was_read_gives_the_same_text) {
    const auto text = write_to_text(trace_with_every_record());
    EXPECT_EQ(write_to_text(read_from_text(text)), text);
}

TEST(ChromeTrace, files_survive_compressed_and_uncompressed) {
    const auto original = trace_with_every_record();
    const std::filesystem::path folder = ::testing::TempDir();
    for (const auto* name : {"round_trip.json", "round_trip.json.gz"}) {
        const auto file = folder / name;
        write_chrome_trace(original, file);
        const auto read = read_chrome_trace(file);
        EXPECT_EQ(read.source, file.string());
        expect_same_trace(read, original);
        std::filesystem::remove(file);
    }
}

}  // namespace
}  // namespace overcast
