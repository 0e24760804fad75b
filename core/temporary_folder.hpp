// A folder of its own for as long as an object lives.
#pragma once

#include <filesystem>

namespace overcast {

/// Made under TMPDIR (or /tmp), removed with everything in it at the end.
class TemporaryFolder {
public:
    /// Throws Error if it cannot be made.
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace overcast
