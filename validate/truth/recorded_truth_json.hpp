// Recorded truth as text: what measured.json holds.
#pragma once

#include "validate/truth/recorded_truth.hpp"

#include <string>

namespace overcast {

/// read_recorded_truth gives back the same.
std::string recorded_truth_json(const RecordedTruth& truth);

}  // namespace overcast
