// Gives every reader the inputs that fuzzing found worth keeping.
#include "tests/fuzz/fuzzed_readers.hpp"
#include "tracer/launcher/spool_to_trace.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace overcast::test {
namespace {

const std::filesystem::path kCorpus =
    std::filesystem::path{OVERCAST_SOURCE_DIR} / "tests/fuzz/corpus";

TEST(FuzzCorpus, every_reader_takes_its_corpus_soundly) {
    for (const auto& reader : fuzzed_readers()) {
        std::size_t inputs = 0;
        for (const auto& entry : std::filesystem::directory_iterator{kCorpus / reader.name}) {
            std::ifstream file{entry.path(), std::ios::binary};
            const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
            EXPECT_EQ(reader.fault_in(bytes), "") << entry.path();
            ++inputs;
        }
        EXPECT_GT(inputs, 0U) << reader.name;
    }
}

TEST(FuzzCorpus, every_corpus_has_a_reader) {
    std::set<std::string> readers;
    for (const auto& reader : fuzzed_readers()) {
        readers.emplace(reader.name);
    }
    for (const auto& entry : std::filesystem::directory_iterator{kCorpus}) {
        if (entry.is_directory()) {
            EXPECT_TRUE(readers.contains(entry.path().filename().string())) << entry.path();
        }
    }
}

/// An older one would be refused at its first bytes, and nothing behind them tried.
TEST(FuzzCorpus, has_a_recording_of_the_version_that_is_written_today) {
    EXPECT_NO_THROW((void)read_spool(kCorpus / "spool" / "every_record"));
}

}  // namespace
}  // namespace overcast::test
