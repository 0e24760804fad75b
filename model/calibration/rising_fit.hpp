// What can only rise, measured with noise.
#pragma once

#include "model/calibration/estimate.hpp"

#include <vector>

namespace overcast {

/// Isotonic regression by pooling adjacent violators: the rising y that are nearest to the data in
/// the sense of least squares. `data` by rising x.
std::vector<DataPoint> fit_rising(const std::vector<DataPoint>& data);

/// Likewise of delays in nanoseconds: whole ones, and never less than none.
std::vector<DataPoint> fit_rising_delays_ns(const std::vector<DataPoint>& data);

}  // namespace overcast
