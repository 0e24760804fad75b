// How a report for people may look: decided by the command line, never by the report.
#pragma once

#include <cstddef>

namespace overcast {

/// Columns of a report that nobody looks at in a terminal, and the least of one that somebody does.
constexpr std::size_t kReportWidth = 80;

struct TerminalStyle {
    bool colour = false;               ///< ANSI colours
    bool unicode = false;              ///< box drawing, block bars, µ and ×; else ASCII
    std::size_t width = kReportWidth;  ///< columns that charts may fill; text stays at kReportWidth
};

}  // namespace overcast
