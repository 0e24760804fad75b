// A Timeline as text: what every stream, engine and host thread did from left to right.
//
//   timeline   distribute, 2 streams, depth order: 4.000 ms
//
//              0         1         2         3         4 ms
//              ├─────────┼─────────┼─────────┼─────────┤
//   stream 0   HHHHHHHHHHKKKKKKKKKKDDDDDDDDDD
//   stream 1   ··········HHHHHHHHHHKKKKKKKKKKDDDDDDDDDD
//   H2D        ████████████████████
//   …
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "report/terminal_style.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace overcast {

/// Streams behind these are counted, not drawn.
constexpr std::size_t kMostTimelineStreams = 64;

/// As wide as `style.width`. A column shows the work that took most of its time: a capital letter
/// where work took half of the column or more, a small one where less; waiting where nothing ran.
/// Engines and host threads are shaded by the share of the column in which they were busy.
/// `timeline` must be of `workload`.
std::string text_timeline(const Workload& workload, const Timeline& timeline,
                          std::string_view title, const TerminalStyle& style);

}  // namespace overcast
