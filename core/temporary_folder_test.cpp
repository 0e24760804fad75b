#include "core/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace overcast {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, is_gone_with_all_that_is_in_it_when_its_object_is) {
    std::optional<TemporaryFolder> folder{std::in_place};
    const fs::path path = folder->path();
    fs::create_directories(path / "deeper");
    std::ofstream{path / "deeper" / "file"} << "text";
    EXPECT_TRUE(fs::exists(path / "deeper" / "file"));
    folder.reset();
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, is_another_one_each_time) {
    const TemporaryFolder one;
    const TemporaryFolder other;
    EXPECT_NE(one.path(), other.path());
}

}  // namespace
}  // namespace overcast
