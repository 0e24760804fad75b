// A folder of its own for the spool files of one run.
#pragma once

#include <filesystem>
#include <vector>

namespace overcast {

/// Made under TMPDIR (or /tmp), removed with everything in it at the end.
class SpoolFolder {
public:
    /// Throws Error if it cannot be made.
    SpoolFolder();
    SpoolFolder(const SpoolFolder&) = delete;
    SpoolFolder& operator=(const SpoolFolder&) = delete;
    ~SpoolFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::vector<std::filesystem::path> spools() const;

private:
    std::filesystem::path path_;
};

}  // namespace overcast
