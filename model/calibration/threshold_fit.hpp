// Where a yes turns into a no.
#pragma once

#include "model/calibration/estimate.hpp"

#include <vector>

namespace overcast {

struct Decision {
    double x = 0;
    bool yes = false;
};

/// The threshold up to which most answers are yes and beyond which most are no: the one with the
/// fewest exceptions, the middle of all such. Interval: 5th and 95th percentile of the same for 200
/// samples of the decisions, drawn with replacement by a fixed seed. Residual: share of exceptions.
/// Throws ModelFileError where all answers are the same.
Estimate fit_threshold(std::vector<Decision> decisions);

}  // namespace overcast
