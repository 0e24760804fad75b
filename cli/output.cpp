#include "cli/output.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>

namespace overcast {
namespace {

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool locale_is_utf8() {
    // The first that is set and not empty decides, as for the C library.
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string value{variable(name)};
        if (!value.empty()) {
            std::ranges::transform(value, value.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            });
            return value.find("utf-8") != std::string::npos ||
                   value.find("utf8") != std::string::npos;
        }
    }
    return false;
}

bool terminal_has_colours() {
    const auto terminal = variable("TERM");
    return isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && !terminal.empty() &&
           terminal != "dumb";
}

/// A terminal narrower than a report breaks lines anyway; on one that is very wide, a row is hard
/// to follow.
std::size_t terminal_width() {
    constexpr std::size_t kWidest = 200;
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
        return kReportWidth;
    }
    return std::clamp<std::size_t>(size.ws_col, kReportWidth, kWidest);
}

void write_all(std::FILE* stream, std::string_view text, std::string_view name) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
    if (!written && errno != EPIPE) {
        throw Error(fmt::format("cannot write to {}: {}", name, std::strerror(errno)));
    }
}

}  // namespace

TerminalStyle output_style(bool to_file) {
    return {.colour = !to_file && terminal_has_colours(),
            .unicode = locale_is_utf8(),
            .width = to_file ? kReportWidth : terminal_width()};
}

void write_output(std::string_view text, const std::optional<std::string>& file) {
    if (!file || *file == "-") {
        write_all(stdout, text, "standard output");
        return;
    }
    struct Close {
        void operator()(std::FILE* stream) const { std::fclose(stream); }
    };
    const std::unique_ptr<std::FILE, Close> stream{std::fopen(file->c_str(), "wb")};
    if (!stream) {
        throw Error(fmt::format("cannot write '{}': {}", *file, std::strerror(errno)));
    }
    write_all(stream.get(), text, "'" + *file + "'");
}

void print_error(std::string_view message) {
    std::string line{message};
    std::ranges::replace(line, '\n', ' ');
    std::ignore = std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", line);
}

}  // namespace overcast
