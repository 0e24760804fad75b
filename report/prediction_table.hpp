// A sweep of predictions for people:
//
//   trace      traces/pipeline.json.gz
//   program    ./pipeline --units 20
//   device     NVIDIA H200, device model nvidia-h200
//   recorded   80 operations in 20 units: 15.31 ms while recording
//   predicted  the units dealt over N streams (distribute), waits moved to the end
//              of the region (--sync defer)
//
//    streams  order     wall time speed-up             bound by  H2D  D2H   SM host
//   ────────────────────────────────────────────────────────────────────────────────
//          1  depth     15.000 ms  1.00× ██████        chain     61%  30%  27%   3%
//   ▶      4  depth      7.500 ms  2.00× ████████████  H2D       98%  60%  54%   6%
//
//   Best: 4 streams, issued depth-first: 7.500 ms, 2.00 times as fast as one stream
//         (15.00 ms). The H2D copy engine is busy 98 % of the time.
#pragma once

#include "core/prediction.hpp"
#include "report/terminal_style.hpp"

#include <string>

namespace overcast {

std::string prediction_table(const PredictionSweep& sweep, const TerminalStyle& style);

}  // namespace overcast
