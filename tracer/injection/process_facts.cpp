#include "tracer/injection/process_facts.hpp"

#include <unistd.h>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

namespace overcast::injection {
namespace {

// What changes how CUDA schedules or computes; where a machine has its software does not.
constexpr std::array<std::string_view, 4> kPrefixes{"CUDA_", "CUBLAS_", "CUDNN_", "PYTORCH_CUDA_"};

bool matters(std::string_view name) {
    if (name.starts_with("CUDA_INJECTION") || name == "CUDA_HOME" || name == "CUDA_PATH" ||
        name == "CUDA_VERSION") {
        return false;
    }
    for (const auto prefix : kPrefixes) {
        if (name.starts_with(prefix)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::uint64_t clock_ns(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    return static_cast<std::uint64_t>(now.tv_sec) * kNsPerSecond +
           static_cast<std::uint64_t>(now.tv_nsec);
}

std::string command_line() {
    std::ifstream file{"/proc/self/cmdline", std::ios::binary};
    std::string line{std::istreambuf_iterator<char>{file}, {}};
    while (!line.empty() && line.back() == '\0') {
        line.pop_back();
    }
    for (char& character : line) {
        if (character == '\0') {
            character = ' ';
        }
    }
    return line;
}

std::vector<std::pair<std::string, std::string>> environment_that_matters() {
    std::vector<std::pair<std::string, std::string>> variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const auto equals = text.find('=');
        if (equals != std::string_view::npos && matters(text.substr(0, equals))) {
            variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    return variables;
}

}  // namespace overcast::injection
