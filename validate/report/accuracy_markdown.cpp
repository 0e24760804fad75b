#include "validate/report/accuracy_markdown.hpp"

#include "validate/baselines/baseline.hpp"
#include "validate/report/accuracy_cells.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

using Cells = std::vector<std::string>;

std::string line(const Cells& cells) {
    std::string text = "|";
    for (const auto& cell : cells) {
        text += fmt::format(" {} |", cell);
    }
    return text + '\n';
}

/// The first column holds words, the others figures.
std::string head(const Cells& titles, std::size_t words = 1) {
    std::string rule = "|";
    for (std::size_t i = 0; i < titles.size(); ++i) {
        rule += i < words ? "---|" : "---:|";
    }
    return line(titles) + rule + '\n';
}

Cells named_figures(std::string_view name, const ModelFigures& figures) {
    auto cells = figures_cells(figures, MeanOfCases::shown, "–");
    cells.insert(cells.begin(), std::string{name});
    return cells;
}

std::string list_of(const std::set<std::string>& words) {
    std::string text;
    for (const auto& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string provenance(const AccuracyReport& report, const std::string& command) {
    std::set<std::string> devices;
    std::set<std::string> drivers;
    std::set<std::string> dates;
    std::set<std::string> models;
    for (const auto& one : report.cases) {
        devices.insert(one.device);
        drivers.insert(one.driver);
        dates.insert(one.date.substr(0, 10));
        models.insert(one.device_model);
    }
    return fmt::format(
        "Measured on {}, driver {}, {}; predicted with the parameters {}. Written by\n\n"
        "```sh\n{}\n```\n\n",
        list_of(devices), list_of(drivers), list_of(dates), list_of(models), command);
}

std::string summary(const AccuracyReport& report) {
    std::string text =
        "## Summary\n\n"
        "Error of the predicted wall time in percent, over runs on 2 or more streams. *Mean of "
        "cases* is the mean of the cases' means, so that many stream counts with one and the same "
        "time count once; *regret* is how much longer the configuration called best really takes "
        "than the best one, on average; *noise* is the median distance between the truth's own "
        "series.\n\n";
    text += head({"family", "runs", "mean", "mean of cases", "median", "p90", "p95", "max", "bias",
                  "regret", "noise"});
    const auto row = [&](std::string_view name, const ModelFigures& figures, double noise) {
        auto cells = named_figures(name, figures);
        cells.push_back(percent(noise));
        text += line(cells);
    };
    for (const auto& [family, figures] : report.families) {
        row(to_string(family), figures.ours, figures.noise.median_percent);
    }
    const double noise = report.all.noise.median_percent;
    row("**all**", report.all.ours, noise);
    if (report.other_parameters) {
        row(fmt::format("all, with {}", report.other_model), *report.other_parameters, noise);
    }
    text += fmt::format(
        "\nMean of the families' means: {:.2f} %. The best configuration (within the noise of the "
        "truth) was found in {} of {} sweeps.\n\n",
        report.all.ours.errors.family_mape_percent, report.all.ours.best_chosen,
        report.all.ours.decisions);
    return text;
}

std::string baseline_section(const AccuracyReport& report) {
    std::string text = "## Beside other models\n\nThe same runs; mean error in percent.\n\n";
    Cells titles{"family", "runs", "overcast"};
    for (const auto& baseline : baselines()) {
        titles.emplace_back(baseline.name);
    }
    text += head(titles);
    const auto row = [&](std::string_view name, const Figures& figures) {
        Cells cells{std::string{name}, std::to_string(figures.ours.errors.count),
                    percent(figures.ours.errors.mape_percent)};
        for (const auto& baseline : figures.baselines) {
            cells.push_back(baseline.errors.count == 0 ? "–"
                            : baseline.undefined == 0
                                ? percent(baseline.errors.mape_percent)
                                : fmt::format("{:.2f} ({} runs)", baseline.errors.mape_percent,
                                              baseline.errors.count));
        }
        text += line(cells);
    };
    for (const auto& [family, figures] : report.families) {
        row(to_string(family), figures);
    }
    row("**all**", report.all);
    text += '\n' + head({"model", "runs", "mean", "mean of cases", "median", "p90", "p95", "max",
                         "bias", "regret"});
    text += line(named_figures("overcast", report.all.ours));
    for (std::size_t i = 0; i < report.all.baselines.size(); ++i) {
        text += line(named_figures(baselines()[i].name, report.all.baselines[i]));
    }
    text += "\nA model that says nothing about some runs is judged on the others.\n\n";
    for (const auto& baseline : baselines()) {
        text += fmt::format("* `{}`: {}\n", baseline.name, baseline.summary);
    }
    return text + '\n';
}

std::string interval_section(const AccuracyReport& report) {
    if (report.all.intervals.count == 0) {
        return {};
    }
    std::string text =
        "## Intervals\n\nEach prediction has a 90 % interval ([model.md](model.md#intervals)). How "
        "often it holds the measured median, and a part of the median ± half the noise (what the "
        "truth itself does not say is no error of the prediction); its width, relative to the "
        "predicted wall time. In percent.\n\n";
    text += head(
        {"family", "runs", "holds the truth", "within its noise", "mean width", "median width"});
    const auto row = [&](std::string_view name, const IntervalFigures& figures) {
        auto cells = interval_cells(figures);
        cells.insert(cells.begin(), std::string{name});
        text += line(cells);
    };
    for (const auto& [family, figures] : report.families) {
        row(to_string(family), figures.intervals);
    }
    row("**all**", report.all.intervals);
    return text + '\n';
}

std::string timeline_section(const AccuracyReport& report) {
    std::string text = fmt::format(
        "## Timelines\n\n{} runs were traced once more on their streams. Start and end of each "
        "operation against that recording, as share of its makespan (median over the runs of the "
        "runs' medians and p95); copies in the actual service order; difference of the overlap of "
        "H2D, D2H and SMs in percentage points. The recorded run carries the cost of tracing, and "
        "so does the prediction that it is held against.\n\n",
        report.all.timeline.timelines);
    text += head({"family", "runs", "start median", "start p95", "end median", "end p95",
                  "service order", "overlap"});
    const auto row = [&](std::string_view name, const TimelineFigures& timeline) {
        if (timeline.timelines > 0) {
            text +=
                line({std::string{name}, std::to_string(timeline.timelines),
                      percent(timeline.start_median_percent), percent(timeline.start_p95_percent),
                      percent(timeline.end_median_percent), percent(timeline.end_p95_percent),
                      timeline.service_order_percent
                          ? fmt::format("{:.1f}", *timeline.service_order_percent)
                          : "–",
                      fmt::format("{:.1f}", timeline.overlap_difference)});
        }
    };
    for (const auto& [family, figures] : report.families) {
        row(to_string(family), figures.timeline);
    }
    row("**all**", report.all.timeline);
    return text + '\n';
}

std::string slowdown_section(const AccuracyReport& report) {
    if (report.all.slowdowns.kernels == 0) {
        return {};
    }
    std::string text =
        "## Kernels beside others\n\nMean time of a kernel's launches in those timelines over its "
        "time in the one-stream recording, measured and predicted: how far the predicted ratio is "
        "from the measured one, over all kernels of all runs. Kernels whose grid was cut are left "
        "out.\n\n";
    text += head({"family", "kernels", "mean", "median", "p95"});
    const auto row = [&](std::string_view name, const SlowdownFigures& slowdowns) {
        if (slowdowns.kernels > 0) {
            text += line({std::string{name}, std::to_string(slowdowns.kernels),
                          percent(slowdowns.mean_percent), percent(slowdowns.median_percent),
                          percent(slowdowns.p95_percent)});
        }
    };
    for (const auto& [family, figures] : report.families) {
        row(to_string(family), figures.slowdowns);
    }
    row("**all**", report.all.slowdowns);
    return text + '\n';
}

std::string swept_section(const AccuracyReport& report) {
    if (report.swept_cases.empty()) {
        return {};
    }
    std::string text =
        "## Cases of many members\n\nOne recording of such a case holds many programs (its "
        "members), "
        "each measured and predicted for itself. Errors of the wall time, how often the 90 % "
        "interval "
        "holds the measured median and a part of the median ± half the noise, and the errors of "
        "the "
        "kernels' slow-downs. In percent.\n\n";
    text += head({"case", "runs", "mean", "median", "p95", "max", "bias", "holds the truth",
                  "within its noise", "kernels", "slow-down mean", "median", "p95"});
    for (const auto& [name, figures] : report.swept_cases) {
        auto cells = swept_cells(figures, "–");
        cells.insert(cells.begin(), name);
        text += line(cells);
    }
    return text + '\n';
}

std::string worst_section(const AccuracyReport& report) {
    constexpr std::size_t kWorst = 10;
    std::string text = "## The ten worst\n\n";
    text += head({"case", "transform", "order", "streams", "measured us", "predicted us",
                  "90 % interval", "error %", "noise %"},
                 3);
    for (const auto& [c, r] : worst_runs(report, kWorst)) {
        auto cells = run_cells(report.cases[c].runs[r]);
        cells.insert(cells.begin(), report.cases[c].case_name);
        text += line(cells);
    }
    return text + '\n';
}

std::string case_section(const CaseAccuracy& one) {
    const auto errors = errors_of(one);
    std::string text = fmt::format(
        "### {}\n\n{}; {} runs on 2 or more streams: mean {:.2f} %, median {:.2f} %, worst {:.2f} "
        "%, bias {:+.2f} %.\n\n",
        one.case_name, to_string(one.family), errors.count, errors.mape_percent,
        errors.median_percent, errors.max_percent, errors.bias_percent);
    for (const auto& warning : one.warnings) {
        text += fmt::format("Warning: {}\n\n", warning.text);
    }
    if (const auto words = listed_words(one); !words.empty()) {
        text += fmt::format("Here are {}.\n\n", words);
    }
    text += head({"transform", "order", "streams", "measured us", "predicted us", "90 % interval",
                  "error %", "noise %"},
                 2);
    for (const auto i : listed_runs(one)) {
        text += line(run_cells(one.runs[i]));
    }
    return text + '\n';
}

}  // namespace

std::string accuracy_markdown(const AccuracyReport& report, const std::string& command,
                              const std::string& plot) {
    std::string text = "# How accurate the predictions are\n\n" + provenance(report, command);
    text +=
        "What was measured and how, what was looked at before, and what explains the errors: "
        "[findings.md](findings.md).\n\n";
    text += summary(report);
    if (!plot.empty()) {
        text += fmt::format("![Error of each run by family]({})\n\n", plot);
    }
    text += interval_section(report) + baseline_section(report) + timeline_section(report) +
            slowdown_section(report) + swept_section(report) + worst_section(report);
    text += "## Every run\n\nNoise: distance between the medians of the series of the truth.\n\n";
    for (const auto& one : report.cases) {
        text += case_section(one);
    }
    text.pop_back();  // the empty line behind the last table
    return text;
}

}  // namespace overcast
