#include "tests/end_to_end/running_command.hpp"

#include "formats/chrome_trace_writer.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace overcast::test {

std::string read_file(const std::string& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

Finished run_overcast(std::string_view arguments) {
    return run_in_shell(OVERCAST_PROGRAM " " + std::string{arguments});
}

Finished run_in_shell(std::string_view line) {
    const auto errors =
        std::filesystem::temp_directory_path() / ("overcast_errors_" + std::to_string(getpid()));
    // Braces: a redirection in `line` wins over the one that is put behind them.
    const auto command = "{ " + std::string{line} + "; } 2>" + errors.string() + " </dev/null";
    auto* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
        throw std::runtime_error("cannot run " + command);
    }
    Finished finished;
    std::array<char, 4096> buffer{};
    while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        finished.output.append(buffer.data(), size);
    }
    const int status = pclose(pipe);
    finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finished.errors = read_file(errors.string());
    std::filesystem::remove(errors);
    return finished;
}

TestFolder::TestFolder() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string{"overcast_"} + test->name() + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
}

TestFolder::~TestFolder() { std::filesystem::remove_all(folder_); }

std::string TestFolder::file(std::string_view name) const { return (folder_ / name).string(); }

std::string TestFolder::file(std::string_view name, std::string_view content) const {
    auto path = file(name);
    std::ofstream{path, std::ios::binary} << content;
    return path;
}

std::string TestFolder::recording(std::string_view name) const {
    using namespace overcast::testing;
    using namespace std::chrono_literals;
    TraceBuilder trace;
    trace.trace().producer = "overcast 0.1.0";
    trace.trace().program = "./pipeline --units 8";
    trace.trace().devices.front().name = "NVIDIA H200";
    for (int i = 0; i < 8; ++i) {
        trace.issue(h2d(mib(8)).taking(155us))
            .issue(kernel("scale").grid(528).block(256).taking(150us))
            .issue(d2h(mib(8)).taking(155us));
    }
    auto path = file(name);
    write_chrome_trace(trace.synchronise_stream(7).build(), std::filesystem::path{path});
    return path;
}

}  // namespace overcast::test
