// Runs the built `overcast` and keeps what it said.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace overcast::test {

struct Finished {
    int status = 0;
    std::string output;  ///< standard output
    std::string errors;  ///< standard error
};

/// `arguments` as typed into a shell behind `overcast`, with redirections if need be.
Finished run_overcast(std::string_view arguments);

/// A line of shell.
Finished run_in_shell(std::string_view line);

/// A folder of the running test's own, empty at its start, removed at its end.
class TestFolder {
public:
    TestFolder();
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    ~TestFolder();

    [[nodiscard]] std::string file(std::string_view name) const;
    /// Writes a file and gives its path.
    [[nodiscard]] std::string file(std::string_view name, std::string_view content) const;
    /// A recording of eight units of copy, kernel and copy on one stream of an H200.
    [[nodiscard]] std::string recording(std::string_view name = "run.json.gz") const;

private:
    std::filesystem::path folder_;
};

std::string read_file(const std::string& file);

}  // namespace overcast::test
