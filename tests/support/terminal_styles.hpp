// Terminals that tables are written for.
#pragma once

#include "report/terminal_style.hpp"

namespace overcast::testing {

inline constexpr TerminalStyle kUnicode{.colour = false, .unicode = true};
inline constexpr TerminalStyle kAscii{};

}  // namespace overcast::testing
