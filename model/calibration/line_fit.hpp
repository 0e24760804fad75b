// Straight lines through measurements.
#pragma once

#include "model/calibration/estimate.hpp"

#include <vector>

namespace overcast {

/// y = start + slope * x.
struct LineFit {
    Estimate start;
    Estimate slope;
    double worst_residual = 0;  ///< largest |fitted / measured - 1|
};

/// Least squares of the relative errors (weights 1 / y^2): a copy of 4 B counts as much as one of
/// 256 MiB. Intervals from the scatter around the line, by Student's t with n - 2 degrees of
/// freedom. The residuals are relative. Needs three points of two different x and y > 0; throws
/// ModelFileError otherwise.
LineFit fit_line(const std::vector<DataPoint>& data);

/// y = slope * x, least squares of the errors; residual in the unit of y. Needs two points with
/// x != 0.
Estimate fit_through_origin(const std::vector<DataPoint>& data);

/// y = alone * max(1, x / limit): from `limit` on, what x asks for exceeds what there is. `alone`
/// is the y of the smallest x; each point that lies clearly above it gives a limit x * alone / y,
/// of which the mean is taken. Needs one such point.
Estimate fit_saturation(const std::vector<DataPoint>& data);

}  // namespace overcast
