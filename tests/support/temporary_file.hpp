#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace overcast::testing {

/// A file that lives as long as the test.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& name)
        : path_{std::filesystem::path{::testing::TempDir()} / ("overcast_" + name)} {
        std::filesystem::remove(path_);
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace overcast::testing
