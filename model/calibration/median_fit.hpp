// A number that was measured many times, with outliers.
#pragma once

#include "model/calibration/estimate.hpp"

#include <vector>

namespace overcast {

/// The median. Interval from order statistics: the number of samples below the true median is
/// binomial (n, 1/2), so ranks n/2 -+ 1.645 sqrt(n)/2 enclose it in 90 % of the cases (normal
/// approximation; below six samples: the smallest and the largest). Residual: 1.4826 times the
/// median distance from the median, which is the standard deviation of normal data.
/// Throws ModelFileError without samples.
Estimate fit_median(std::vector<double> samples);

/// The mean of few independent figures, interval by Student's t. Throws ModelFileError without any.
Estimate fit_mean(const std::vector<double>& figures);

/// The mean without the twentieth at either end, for figures that are spread evenly rather than
/// around one value; interval by Student's t over what is left. Throws ModelFileError without any.
Estimate fit_trimmed_mean(std::vector<double> samples);

/// 95 % point of Student's t: one side of a 90 % interval.
double student_t_95(std::size_t degrees_of_freedom);

}  // namespace overcast
