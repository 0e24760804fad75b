#include "cli/progress_line.hpp"

#include "report/terminal_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace overcast {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLines = 30s;
constexpr const char* kEraseLine = "\r\033[K";

std::string time_left(double seconds) {
    if (seconds < 90) {
        return fmt::format("about {:.0f} s left", seconds);
    }
    return fmt::format("about {:.0f} min left", seconds / 60);
}

}  // namespace

std::string progress_text(std::size_t done, std::size_t steps, const std::string& next,
                          std::chrono::duration<double> elapsed) {
    const auto width = std::to_string(steps).size();
    auto text = fmt::format("[{:>{}}/{}] {}", done, width, steps, next);
    if (done * 20 >= steps && done > 0) {
        const auto rest = static_cast<double>(steps - done) / static_cast<double>(done);
        text += "; " + time_left(elapsed.count() * rest);
    }
    return text;
}

ProgressLine::ProgressLine()
    : terminal_{isatty(STDERR_FILENO) == 1}, begin_{Clock::now()}, shown_{begin_ - kBetweenLines} {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(std::size_t done, std::size_t steps, const std::string& next) {
    const auto now = Clock::now();
    if (!terminal_ && now - shown_ < kBetweenLines) {
        return;
    }
    shown_ = now;
    const auto text = progress_text(done, steps, next, now - begin_);
    if (terminal_) {
        fmt::print(stderr, "{}{}", kEraseLine, shortened(text, kReportWidth - 1));
        std::fflush(stderr);
    } else {
        fmt::print(stderr, "{}\n", text);
    }
}

void ProgressLine::clear() const {
    if (terminal_) {
        fmt::print(stderr, "{}", kEraseLine);
        std::fflush(stderr);
    }
}

}  // namespace overcast
