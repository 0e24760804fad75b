#include "validate/report/accuracy_table.hpp"

#include "report/terminal_text.hpp"
#include "validate/baselines/baseline.hpp"
#include "validate/report/accuracy_cells.hpp"

#include <fmt/format.h>

#include <vector>

namespace overcast {
namespace {

std::string case_table(const CaseAccuracy& one, const TerminalStyle& style) {
    std::vector<std::vector<std::string>> rows;
    for (const auto i : listed_runs(one)) {
        rows.push_back(run_cells(one.runs[i]));
    }
    auto text = emphasised(one.case_name, Emphasis::strong, style) +
                fmt::format(" ({}): {}, predicted with {}\n", to_string(one.family), one.device,
                            one.device_model);
    if (const auto words = listed_words(one); !words.empty()) {
        text += fmt::format("Here are {}.\n", words);
    }
    text += text_table({{"transform"},
                        {"order"},
                        {"streams", Align::right},
                        {"real us", Align::right},
                        {"predicted", Align::right},
                        {"90 %", Align::right},
                        {"error %", Align::right},
                        {"noise", Align::right}},
                       rows, style);
    return text + warning_paragraphs(one.warnings, style) + '\n';
}

std::vector<std::string> figures_row(std::string name, const ModelFigures& figures) {
    auto cells = figures_cells(figures, MeanOfCases::left_out, "-");
    cells.insert(cells.begin(), std::move(name));
    return cells;
}

const std::vector<Column>& figures_columns() {
    static const std::vector<Column> columns{{"error in %", Align::left, true},
                                             {"runs", Align::right},
                                             {"mean", Align::right},
                                             {"median", Align::right},
                                             {"p90", Align::right},
                                             {"p95", Align::right},
                                             {"max", Align::right},
                                             {"bias", Align::right},
                                             {"regret", Align::right}};
    return columns;
}

std::string summary_tables(const AccuracyReport& report, const TerminalStyle& style) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [family, figures] : report.families) {
        rows.push_back(figures_row(std::string{to_string(family)}, figures.ours));
    }
    for (const auto& [name, figures] : report.swept_cases) {
        rows.push_back(figures_row(name, figures.ours));
    }
    rows.push_back(figures_row("all", report.all.ours));
    for (std::size_t i = 0; i < report.all.baselines.size(); ++i) {
        rows.push_back(figures_row(std::string{baselines()[i].name}, report.all.baselines[i]));
    }
    if (report.other_parameters) {
        rows.push_back(figures_row("with " + report.other_model, *report.other_parameters));
    }
    auto text = text_table(figures_columns(), rows, style);
    const auto& errors = report.all.ours.errors;
    text += fmt::format(
        "Runs on 2 or more streams. Mean of the {} cases' means {:.2f} %, of the families'\n"
        "means {:.2f} %. Noise of the truth: median {:.2f} %, p95 {:.2f} %.\n"
        "Best configuration found in {} of {} sweeps.\n",
        report.cases.size(), errors.case_mape_percent, errors.family_mape_percent,
        report.all.noise.median_percent, report.all.noise.p95_percent, report.all.ours.best_chosen,
        report.all.ours.decisions);
    for (std::size_t i = 0; i < report.all.baselines.size(); ++i) {
        if (const auto undefined = report.all.baselines[i].undefined; undefined > 0) {
            text += fmt::format("{} says nothing about {} runs.\n", baselines()[i].name, undefined);
        }
    }
    return text;
}

std::string interval_table(const AccuracyReport& report, const TerminalStyle& style) {
    if (report.all.intervals.count == 0) {
        return {};
    }
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](std::string_view name, const IntervalFigures& figures) {
        auto cells = interval_cells(figures);
        cells.insert(cells.begin(), std::string{name});
        rows.push_back(std::move(cells));
    };
    for (const auto& [family, figures] : report.families) {
        add(to_string(family), figures.intervals);
    }
    for (const auto& [name, figures] : report.swept_cases) {
        add(name, figures.intervals);
    }
    add("all", report.all.intervals);
    return '\n' + text_table({{"90 % interval in %", Align::left, true},
                              {"runs", Align::right},
                              {"holds truth", Align::right},
                              {"within noise", Align::right},
                              {"mean width", Align::right},
                              {"median width", Align::right}},
                             rows, style);
}

std::string timeline_lines(const TimelineFigures& timeline) {
    if (timeline.timelines == 0) {
        return {};
    }
    return fmt::format(
        "{} recorded timelines: starts off by {:.2f} % of the makespan (median of medians;\n"
        "p95 {:.2f} %), ends by {:.2f} % (p95 {:.2f} %); overlap off by {:.1f} points{}\n",
        timeline.timelines, timeline.start_median_percent, timeline.start_p95_percent,
        timeline.end_median_percent, timeline.end_p95_percent, timeline.overlap_difference,
        timeline.service_order_percent
            ? fmt::format(";\n{:.1f} % of the copies in the actual service order.",
                          *timeline.service_order_percent)
            : ".");
}

std::string slowdown_lines(std::string_view of, const SlowdownFigures& slowdowns) {
    if (slowdowns.kernels == 0) {
        return {};
    }
    return fmt::format(
        "{} kernels in {}: slow-down beside others off by {:.2f} % (median {:.2f} %,\n"
        "p95 {:.2f} %).\n",
        slowdowns.kernels, of, slowdowns.mean_percent, slowdowns.median_percent,
        slowdowns.p95_percent);
}

std::string worst_table(const AccuracyReport& report, std::size_t count,
                        const TerminalStyle& style) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [c, r] : worst_runs(report, count)) {
        const auto& one = report.cases[c];
        const auto& run = one.runs[r];
        rows.push_back({one.case_name, configuration_words(run.measured),
                        std::string{to_string(run.measured.order)},
                        std::to_string(run.measured.streams), signed_percent(run.error_percent),
                        percent(run.measured.noise_percent)});
    }
    return text_table({{"the worst", Align::left, true},
                       {"transform"},
                       {"order"},
                       {"streams", Align::right},
                       {"error %", Align::right},
                       {"noise %", Align::right}},
                      rows, style);
}

}  // namespace

std::string accuracy_table(const AccuracyReport& report, const AccuracyTableOptions& options,
                           const TerminalStyle& style) {
    std::string text;
    if (options.every_run) {
        for (const auto& one : report.cases) {
            text += case_table(one, style);
        }
    }
    text += summary_tables(report, style);
    text += timeline_lines(report.all.timeline) + slowdown_lines("them", report.all.slowdowns);
    for (const auto& [name, figures] : report.swept_cases) {
        text += slowdown_lines(name, figures.slowdowns);
    }
    text += interval_table(report, style);
    if (options.worst > 0 && report.cases.size() > 1) {
        text += '\n' + worst_table(report, options.worst, style);
    }
    return text;
}

}  // namespace overcast
