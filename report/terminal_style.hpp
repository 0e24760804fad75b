// How a report for people may look: decided by the command line, never by the report.
#pragma once

namespace overcast {

struct TerminalStyle {
    bool colour = false;   ///< ANSI colours
    bool unicode = false;  ///< box drawing, block bars, µ and ×; else ASCII
};

}  // namespace overcast
