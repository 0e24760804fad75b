// The figures of an accuracy report as text, cell by cell: what every table of them shows.
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// "3.14".
std::string percent(double value);
/// "+3.14".
std::string signed_percent(double value);

enum class MeanOfCases : bool { left_out, shown };

/// Runs, mean, mean of cases (if shown), median, p90, p95, max, bias, regret (`absent` where there
/// is none).
std::vector<std::string> figures_cells(const ModelFigures& figures, MeanOfCases mean_of_cases,
                                       std::string_view absent);

/// Predictions with an interval, how often it holds the truth and a part of the truth's noise, mean
/// and median width.
std::vector<std::string> interval_cells(const IntervalFigures& figures);

/// Transform, order, streams, measured us, predicted us, the interval's ends relative to the
/// prediction ("-1.9 +2.1"), error %, noise %.
std::vector<std::string> run_cells(const RunAccuracy& run);

}  // namespace overcast
