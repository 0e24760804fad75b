// Wall time against streams as bars:
//
//   streams  order     wall time, shorter is better (▒: the 90 % interval)
//         1  depth     ██████████████████████████████▒▒▒ 15.000 ms
//   ▶     4  depth     ███████████████▒▒ 7.500 ms
#pragma once

#include "core/prediction.hpp"
#include "report/terminal_style.hpp"

#include <string>

namespace overcast {

/// A bar for each prediction, from zero, as wide as `style.width` for the longest. The interval is
/// shown where there is one and where it is wider than a column.
std::string wall_time_chart(const PredictionSweep& sweep, const TerminalStyle& style);

}  // namespace overcast
