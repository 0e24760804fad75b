// How far a long command is, on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace overcast {

/// One line that is overwritten on a terminal; elsewhere a line every half minute.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// `done` of `steps` are done; `next` begins.
    void show(std::size_t done, std::size_t steps, const std::string& next);
    /// Takes the line away, so that something else can be printed.
    void clear() const;

private:
    using Clock = std::chrono::steady_clock;

    bool terminal_;
    Clock::time_point begin_;
    Clock::time_point shown_;
};

/// "[ 34/312] pipeline, depth, 8 streams; about 4 min left". Nothing is said of the time before one
/// step in twenty is done: the first ones are no measure.
std::string progress_text(std::size_t done, std::size_t steps, const std::string& next,
                          std::chrono::duration<double> elapsed);

}  // namespace overcast
