// Predictions as a flat table for spreadsheets and data frames (RFC 4180, one row per
// configuration).
#pragma once

#include "core/prediction.hpp"

#include <string>
#include <vector>

namespace overcast {

/// A line of column names, then the rows of all sweeps. `best` is 1 in the best row of each trace;
/// `warnings` holds the codes, with ';' between them.
std::string prediction_csv(const std::vector<PredictionSweep>& sweeps);

}  // namespace overcast
