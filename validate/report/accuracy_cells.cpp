#include "validate/report/accuracy_cells.hpp"

#include <fmt/format.h>

#include <cmath>

namespace overcast {

std::string percent(double value) { return fmt::format("{:.2f}", value); }

std::string signed_percent(double value) { return fmt::format("{:+.2f}", value); }

std::vector<std::string> figures_cells(const ModelFigures& figures, MeanOfCases mean_of_cases,
                                       std::string_view absent) {
    const auto& errors = figures.errors;
    std::vector<std::string> cells{std::to_string(errors.count), percent(errors.mape_percent)};
    if (mean_of_cases == MeanOfCases::shown) {
        cells.push_back(percent(errors.case_mape_percent));
    }
    for (const double value :
         {errors.median_percent, errors.p90_percent, errors.p95_percent, errors.max_percent}) {
        cells.push_back(percent(value));
    }
    cells.push_back(signed_percent(errors.bias_percent));
    cells.push_back(figures.regret_percent ? percent(*figures.regret_percent)
                                           : std::string{absent});
    return cells;
}

std::vector<std::string> interval_cells(const IntervalFigures& figures) {
    return {std::to_string(figures.count), percent(figures.coverage_percent),
            percent(figures.coverage_within_noise_percent), percent(figures.mean_width_percent),
            percent(figures.median_width_percent)};
}

std::vector<std::string> swept_cells(const Figures& figures, std::string_view absent) {
    const auto& errors = figures.ours.errors;
    const auto& slowdowns = figures.slowdowns;
    std::vector<std::string> cells{std::to_string(errors.count)};
    const auto add = [&](bool known, const std::string& cell) {
        cells.push_back(known ? cell : std::string{absent});
    };
    for (const double value :
         {errors.mape_percent, errors.median_percent, errors.p95_percent, errors.max_percent}) {
        add(errors.count > 0, percent(value));
    }
    add(errors.count > 0, signed_percent(errors.bias_percent));
    add(figures.intervals.count > 0, percent(figures.intervals.coverage_percent));
    add(figures.intervals.count > 0, percent(figures.intervals.coverage_within_noise_percent));
    cells.push_back(std::to_string(slowdowns.kernels));
    for (const double value :
         {slowdowns.mean_percent, slowdowns.median_percent, slowdowns.p95_percent}) {
        add(slowdowns.kernels > 0, percent(value));
    }
    return cells;
}

std::string listed_words(const CaseAccuracy& one) {
    const auto listed = listed_runs(one).size();
    return listed == one.runs.size()
               ? std::string{}
               : fmt::format("the {} worst of {} runs", listed, one.runs.size());
}

namespace {

/// "+2.1", "-46".
std::string short_percent(double value) {
    return fmt::format("{:+.{}f}", value, std::abs(value) < 9.95 ? 1 : 0);
}

std::string interval_words(const RunAccuracy& run) {
    return run.interval ? short_percent(error_percent(run.interval->low, run.predicted)) + " " +
                              short_percent(error_percent(run.interval->high, run.predicted))
                        : "-";
}

}  // namespace

std::vector<std::string> run_cells(const RunAccuracy& run) {
    return {configuration_words(run.measured),
            std::string{to_string(run.measured.order)},
            std::to_string(run.measured.streams),
            fmt::format("{:.1f}", to_microseconds(run.measured.wall_median)),
            fmt::format("{:.1f}", to_microseconds(run.predicted)),
            interval_words(run),
            signed_percent(run.error_percent),
            percent(run.measured.noise_percent)};
}

}  // namespace overcast
