#include "formats/byte_sink.hpp"

#include "core/error.hpp"
#include "formats/byte_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace overcast {
namespace {

class ByteSinkTest : public ::testing::Test {
protected:
    ByteSinkTest() : folder_{std::filesystem::path{::testing::TempDir()} / "overcast_byte_sink"} {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~ByteSinkTest() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::size_t files() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator{folder_}) {
            ++count;
        }
        return count;
    }

    std::filesystem::path folder_;
};

std::string read_all(const std::filesystem::path& file) {
    std::string text(1 << 20, '\0');
    text.resize(open_byte_source(file)->read(text));
    return text;
}

TEST_F(ByteSinkTest, file_appears_only_when_finished) {
    const auto file = folder_ / "out.json";
    const auto sink = create_byte_sink(file);
    sink->write("text");
    EXPECT_FALSE(std::filesystem::exists(file));
    sink->finish();
    EXPECT_EQ(read_all(file), "text");
    EXPECT_EQ(files(), 1U);
}

TEST_F(ByteSinkTest, what_is_not_finished_leaves_the_old_file_alone) {
    const auto file = folder_ / "out.json";
    std::ofstream{file} << "old";
    create_byte_sink(file)->write("new");
    EXPECT_EQ(read_all(file), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(ByteSinkTest, gz_in_the_name_means_compressed) {
    const auto file = folder_ / "out.json.gz";
    const auto sink = create_byte_sink(file);
    const std::string text(500'000, 'x');
    sink->write(text);
    sink->finish();
    EXPECT_LT(std::filesystem::file_size(file), 5'000U);
    EXPECT_EQ(read_all(file), text);
}

TEST_F(ByteSinkTest, same_text_gives_the_same_bytes) {
    const auto write = [&](const char* name) {
        const auto sink = create_byte_sink(folder_ / name);
        sink->write("some text");
        sink->finish();
        std::ifstream file{folder_ / name, std::ios::binary};
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    };
    EXPECT_EQ(write("a.gz"), write("b.gz"));
}

TEST_F(ByteSinkTest, folder_that_does_not_exist_is_an_error_with_its_name) {
    try {
        create_byte_sink(folder_ / "nowhere" / "out.json");
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("cannot write"),
                                                   ::testing::HasSubstr("nowhere/out.json")));
    }
}

TEST_F(ByteSinkTest, full_disk_is_an_error) {
    const auto sink = create_byte_sink("/dev/full");
    EXPECT_THROW(
        {
            sink->write(std::string(1 << 20, 'x'));
            sink->finish();
        },
        Error);
}

TEST_F(ByteSinkTest, a_device_is_written_and_not_replaced) {
    const auto sink = create_byte_sink("/dev/null");
    sink->write("text");
    sink->finish();
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace overcast
