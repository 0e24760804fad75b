#include "validate/accuracy/accuracy_report.hpp"

#include "core/statistics.hpp"
#include "forecast/interval.hpp"
#include "validate/baselines/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

namespace overcast {
namespace {

using Cases = std::vector<const CaseAccuracy*>;

/// What one model says of a run, and what it decides in a sweep.
struct ModelView {
    std::function<std::optional<Duration>(const RunAccuracy&)> predicted;
    std::function<std::optional<Decision>(const SweepDecision&)> decision;
};

ModelView our_view() {
    return {[](const RunAccuracy& run) { return std::optional{run.predicted}; },
            [](const SweepDecision& sweep) { return std::optional{sweep.ours}; }};
}

ModelView view_of_baseline(std::size_t number) {
    return {[number](const RunAccuracy& run) { return run.baselines.at(number); },
            [number](const SweepDecision& sweep) { return sweep.baselines.at(number); }};
}

/// A choice that is as good as the best one within what the truth itself moves.
bool good_choice(const CaseAccuracy& one, const Decision& decision) {
    const double noise = std::max(one.runs[decision.chosen].measured.noise_percent,
                                  one.runs[decision.best].measured.noise_percent);
    return decision.regret_percent <= noise;
}

void add_decisions(const Cases& cases, const ModelView& view, ModelFigures& figures) {
    std::vector<double> regrets;
    for (const auto* one : cases) {
        for (const auto& sweep : one->decisions) {
            if (const auto decision = view.decision(sweep)) {
                regrets.push_back(decision->regret_percent);
                figures.best_chosen += good_choice(*one, *decision) ? 1U : 0U;
            }
        }
    }
    figures.decisions = regrets.size();
    if (!regrets.empty()) {
        figures.regret_percent = mean_of(regrets);
    }
}

ModelFigures figures_of(const Cases& cases, const ModelView& view) {
    ModelFigures figures;
    std::vector<ErrorSample> samples;
    for (const auto* one : cases) {
        for (const auto& run : one->runs) {
            if (!counts(run.measured)) {
                continue;
            }
            if (const auto predicted = view.predicted(run)) {
                samples.push_back({one->case_name, to_string(one->family),
                                   error_percent(*predicted, run.measured.wall_median)});
            } else {
                ++figures.undefined;
            }
        }
    }
    figures.errors = summarise(samples);
    add_decisions(cases, view, figures);
    return figures;
}

TimelineFigures timeline_figures(const Cases& cases) {
    std::vector<double> start_medians;
    std::vector<double> start_p95s;
    std::vector<double> end_medians;
    std::vector<double> end_p95s;
    std::vector<double> orders;
    std::vector<double> overlaps;
    for (const auto* one : cases) {
        for (const auto& run : one->runs) {
            if (!run.timeline || !counts(run.measured)) {
                continue;
            }
            const auto& timeline = *run.timeline;
            start_medians.push_back(timeline.start_median_percent);
            start_p95s.push_back(timeline.start_p95_percent);
            end_medians.push_back(timeline.end_median_percent);
            end_p95s.push_back(timeline.end_p95_percent);
            overlaps.push_back(
                std::abs(timeline.predicted_overlap_percent - timeline.actual_overlap_percent));
            if (timeline.service_order_percent) {
                orders.push_back(*timeline.service_order_percent);
            }
        }
    }
    return {.timelines = start_medians.size(),
            .start_median_percent = median_of(start_medians),
            .start_p95_percent = median_of(start_p95s),
            .end_median_percent = median_of(end_medians),
            .end_p95_percent = median_of(end_p95s),
            .service_order_percent = orders.empty() ? std::nullopt : std::optional{mean_of(orders)},
            .overlap_difference = mean_of(overlaps)};
}

SlowdownFigures slowdown_figures(const Cases& cases) {
    std::vector<double> errors;
    for (const auto* one : cases) {
        for (const auto& run : one->runs) {
            if (!run.timeline || !counts(run.measured)) {
                continue;
            }
            for (const auto& kernel : run.timeline->slowdowns) {
                errors.push_back(std::abs(kernel.predicted / kernel.measured - 1) * 100);
            }
        }
    }
    return {.kernels = errors.size(),
            .mean_percent = mean_of(errors),
            .median_percent = median_of(errors),
            .p95_percent = percentile_of(errors, 95)};
}

IntervalFigures interval_figures(const Cases& cases) {
    std::vector<double> widths;
    double inside = 0;
    double within_noise = 0;
    for (const auto* one : cases) {
        for (const auto& run : one->runs) {
            if (!run.interval || !counts(run.measured)) {
                continue;
            }
            widths.push_back(relative_width(*run.interval, run.predicted) * 100);
            inside += holds(*run.interval, run.measured, 0) ? 1 : 0;
            within_noise +=
                holds(*run.interval, run.measured, run.measured.noise_percent / 2) ? 1 : 0;
        }
    }
    if (widths.empty()) {
        return {};
    }
    const auto all = static_cast<double>(widths.size());
    return {.count = widths.size(),
            .coverage_percent = inside / all * 100,
            .coverage_within_noise_percent = within_noise / all * 100,
            .mean_width_percent = mean_of(widths),
            .median_width_percent = median_of(widths)};
}

TruthNoise noise_of(const Cases& cases) {
    std::vector<double> noises;
    for (const auto* one : cases) {
        for (const auto& run : one->runs) {
            if (counts(run.measured)) {
                noises.push_back(run.measured.noise_percent);
            }
        }
    }
    return {median_of(noises), percentile_of(noises, 95)};
}

Figures all_figures(const Cases& cases) {
    Figures figures;
    figures.noise = noise_of(cases);
    figures.ours = figures_of(cases, our_view());
    figures.intervals = interval_figures(cases);
    figures.timeline = timeline_figures(cases);
    figures.slowdowns = slowdown_figures(cases);
    for (std::size_t i = 0; i < baselines().size(); ++i) {
        figures.baselines.push_back(figures_of(cases, view_of_baseline(i)));
    }
    return figures;
}

Cases pointers_to(const std::vector<CaseAccuracy>& cases) {
    Cases pointers;
    pointers.reserve(cases.size());
    for (const auto& one : cases) {
        pointers.push_back(&one);
    }
    return pointers;
}

}  // namespace

AccuracyReport make_report(std::vector<CaseAccuracy> cases,
                           const std::vector<CaseAccuracy>& with_other_parameters) {
    AccuracyReport report;
    report.cases = std::move(cases);
    const auto all = pointers_to(report.cases);
    report.all = all_figures(all);
    for (const auto family : kFamilies) {
        Cases members;
        std::ranges::copy_if(all, std::back_inserter(members),
                             [&](const auto* one) { return one->family == family; });
        if (!members.empty()) {
            report.families.emplace_back(family, all_figures(members));
        }
    }
    for (const auto& one : report.cases) {
        if (is_swept(one)) {
            report.swept_cases.emplace_back(one.case_name, all_figures({&one}));
        }
    }
    if (!with_other_parameters.empty()) {
        report.other_parameters = figures_of(pointers_to(with_other_parameters), our_view());
        report.other_model = with_other_parameters.front().device_model;
    }
    return report;
}

ErrorSummary errors_of(const CaseAccuracy& one) { return figures_of({&one}, our_view()).errors; }

std::vector<std::size_t> listed_runs(const CaseAccuracy& one) {
    constexpr std::size_t kMostMembers = 10;
    std::vector<std::size_t> runs(one.runs.size());
    std::iota(runs.begin(), runs.end(), std::size_t{0});
    if (runs.size() > kMostMembers && is_swept(one)) {
        std::ranges::stable_sort(runs, std::greater{},
                                 [&](auto i) { return std::abs(one.runs[i].error_percent); });
        runs.resize(kMostMembers);
    }
    return runs;
}

std::vector<std::pair<std::size_t, std::size_t>> worst_runs(const AccuracyReport& report,
                                                            std::size_t count) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t c = 0; c < report.cases.size(); ++c) {
        for (std::size_t r = 0; r < report.cases[c].runs.size(); ++r) {
            if (counts(report.cases[c].runs[r].measured)) {
                places.emplace_back(c, r);
            }
        }
    }
    std::ranges::stable_sort(places, std::greater{}, [&](const auto& place) {
        return std::abs(report.cases[place.first].runs[place.second].error_percent);
    });
    places.resize(std::min(places.size(), count));
    return places;
}

bool holds(const WallInterval& interval, const RecordedRun& run, double percent) {
    const auto truth = static_cast<double>(run.wall_median.count());
    const double margin = truth * percent / 100;
    return truth + margin >= static_cast<double>(interval.low.count()) &&
           truth - margin <= static_cast<double>(interval.high.count());
}

std::string configuration_words(const RecordedRun& run) {
    std::string words{to_string(run.transform)};
    if (run.parts > 1) {
        words += fmt::format("/{}", run.parts);
    }
    if (run.max_connections) {
        words += fmt::format(" c{}", *run.max_connections);
    }
    if (run.range) {
        words += " " + member_name(*run.range);
    }
    return words;
}

}  // namespace overcast
