// What a sweep of predictions says, in sentences.
#pragma once

#include "core/prediction.hpp"
#include "report/terminal_style.hpp"

#include <string>
#include <string_view>

namespace overcast {

/// "H2D", "SM", "chain".
std::string_view bound_label(Bound bound);

/// "80 operations in 20 units: 15.31 ms while recording, after 312.0 ms of set-up".
std::string recorded_in_words(const PredictionSweep& sweep, const TerminalStyle& style);

/// What becomes of the recorded work and of the waits in it.
std::string scheme_in_words(const PredictionSweep& sweep);

/// The best choice in one sentence. `sweep.best` must be set, here and below.
std::string choice_in_words(const PredictionSweep& sweep, const TerminalStyle& style);

/// What limits the best choice, and the fewest streams that come within 1 % of it.
std::string reason_in_words(const PredictionSweep& sweep);

/// Both of these.
std::string best_in_words(const PredictionSweep& sweep, const TerminalStyle& style);

/// Those of the sweep, then those of its configurations: one for each code, with the number of
/// configurations that it concerns.
Warnings all_warnings(const PredictionSweep& sweep);

/// "distribute, 4 streams, depth order".
std::string configuration_in_words(const Configuration& configuration);

}  // namespace overcast
