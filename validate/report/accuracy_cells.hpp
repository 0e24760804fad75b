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

/// Of a case of many members, on several streams: runs, mean, median, p95, max, bias, how often the
/// interval holds the truth and a part of its noise, kernels, mean, median and p95 of the errors of
/// their slow-downs (`absent` where there is none).
std::vector<std::string> swept_cells(const Figures& figures, std::string_view absent);

/// What a list of its runs shows: "the 10 worst of 160 runs"; empty where it has all.
std::string listed_words(const CaseAccuracy& one);

/// Transform, order, streams, measured us, predicted us, the interval's ends relative to the
/// prediction ("-1.9 +2.1"), error %, noise %.
std::vector<std::string> run_cells(const RunAccuracy& run);

}  // namespace overcast
