// A sweep of predictions for people:
//
//   trace      traces/h200/pipeline/trace.json.gz
//   program    ./pipeline --units 20
//   device     NVIDIA H200, device model nvidia-h200
//   recorded   80 operations in 20 units, 15.31 ms; set-up before them 312.0 ms
//   predicted  the units dealt over N streams (distribute), waits moved to the
//              end (--sync defer)
//
//    streams  order    wall time  speed-up              bound by   H2D  D2H   SM  host
//   ──────────────────────────────────────────────────────────────────────────────────
//          1  depth     15.10 ms  1.00× ██████▉         chain      61%  30%  27%    3%
//   ▶      8  depth     10.40 ms  1.45× ██████████      H2D        98%  44%  38%    4%
//
//   Best: 8 streams, depth-first: 10.40 ms, 1.45 times as fast as one stream (15.10 ms).
#pragma once

#include "core/prediction.hpp"
#include "report/terminal_style.hpp"

#include <string>

namespace overcast {

std::string prediction_table(const PredictionSweep& sweep, const TerminalStyle& style);

}  // namespace overcast
