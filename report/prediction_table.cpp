#include "report/prediction_table.hpp"

#include "report/baseline_columns.hpp"
#include "report/human_units.hpp"
#include "report/prediction_words.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

constexpr std::size_t kLabelWidth = 11;

// Columns; with the mark and the gaps 80 in all. Where baselines are asked for, theirs come behind
// the speed-up, and what no longer fits is left out.
constexpr std::size_t kStreamsWidth = 7;
constexpr std::size_t kOrderWidth = 8;
constexpr std::size_t kWallWidth = 11;
constexpr std::size_t kSpeedupWidth = 7;
constexpr std::size_t kBarWidth = 12;
constexpr std::size_t kBoundWidth = 8;
constexpr std::size_t kShareWidth = 5;
constexpr std::string_view kGap = "  ";

std::string labelled(std::string_view label, std::string_view text, const TerminalStyle& style) {
    const auto paragraph = wrapped(text, left_aligned(label, kLabelWidth));
    return emphasised(label, Emphasis::faint, style) + paragraph.substr(label.size());
}

std::string header(const PredictionSweep& sweep, const TerminalStyle& style) {
    constexpr auto kRoom = kReportWidth - kLabelWidth;
    std::string result = labelled("trace", printable(sweep.trace), style);
    if (!sweep.program.empty()) {
        result += labelled("program", shortened(printable(sweep.program), kRoom), style);
    }
    result += labelled("device",
                       printable(sweep.device.empty() ? "not recorded" : sweep.device) +
                           ", device model " + printable(sweep.device_model),
                       style);
    result += labelled("recorded", recorded_in_words(sweep, style), style);
    return result + labelled("predicted", scheme_in_words(sweep), style);
}

std::string rule(const TerminalStyle& style) {
    std::string line;
    for (std::size_t i = 0; i < kReportWidth; ++i) {
        line += style.unicode ? "─" : "-";
    }
    return emphasised(line, Emphasis::faint, style) + '\n';
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string left_titles() {
    std::string line = " ";
    line += right_aligned("streams", kStreamsWidth);
    line += kGap;
    line += left_aligned("order", kOrderWidth);
    line += right_aligned("wall time", kWallWidth);
    line += right_aligned("speed-up", kSpeedupWidth + 2);
    return line;
}

std::string share_titles() {
    std::string line;
    for (const auto* engine : {"H2D", "D2H", "SM", "host"}) {
        line += right_aligned(engine, kShareWidth);
    }
    return line;
}

std::string titles(const BaselineColumns& baselines, const TerminalStyle& style) {
    auto line = left_titles();
    std::string above;
    if (baselines.count() == 0) {
        line += std::string(kBarWidth, ' ');
        line += kGap.substr(1);
    } else {
        const auto own = baselines.titles();
        for (std::size_t i = 0; i + 1 < own.size(); ++i) {
            above += emphasised(without_trailing_blanks(std::string(line.size(), ' ') + own[i]),
                                Emphasis::strong, style);
            above += '\n';
        }
        line += own.back();
        line += kGap;
    }
    if (baselines.leave_room_for_bound()) {
        line += left_aligned("bound by", kBoundWidth);
    }
    if (baselines.leave_room_for_shares()) {
        line += share_titles();
    }
    return above + emphasised(without_trailing_blanks(std::move(line)), Emphasis::strong, style) +
           '\n';
}

std::string percentage(double share, bool limits, const TerminalStyle& style) {
    const auto cell = right_aligned(fmt::format("{:.0f}%", share * 100), kShareWidth);
    return emphasised(cell, limits ? Emphasis::strong : Emphasis::none, style);
}

/// How a row stands out and how long its bar is.
struct RowLook {
    std::size_t index = 0;
    std::string wall;
    double bar_share = 0;
    bool best = false;
};

std::string row(const Prediction& prediction, const RowLook& look, const BaselineColumns& baselines,
                const TerminalStyle& style) {
    const auto emphasis = look.best ? Emphasis::good : Emphasis::none;
    const auto mark = look.best ? (style.unicode ? "▶" : ">") : " ";
    const auto speedup = fmt::format("{:.{}f}{}", prediction.speedup,
                                     prediction.speedup < 1000 ? 2 : 0, style.unicode ? "×" : "x");
    const auto drawn = bar(look.bar_share, kBarWidth, style);
    const auto& shares = prediction.utilisation;
    const auto engine = [&](double share, Bound bound) {
        return percentage(share, prediction.bound_by == bound, style);
    };

    std::string line = emphasised(mark, emphasis, style);
    line += right_aligned(std::to_string(prediction.configuration.streams), kStreamsWidth);
    line += kGap;
    line += left_aligned(to_string(prediction.configuration.order), kOrderWidth);
    line += emphasised(right_aligned(look.wall, kWallWidth), emphasis, style);
    if (baselines.count() == 0) {
        line += emphasised(right_aligned(speedup, kSpeedupWidth) + " " + drawn, emphasis, style);
        line += std::string(kBarWidth - display_width(drawn), ' ');
    } else {
        line += emphasised(right_aligned(speedup, kSpeedupWidth + 2), emphasis, style);
        line += baselines.cells(look.index);
    }
    line += kGap;
    if (baselines.leave_room_for_bound()) {
        line += left_aligned(bound_label(prediction.bound_by), kBoundWidth);
    }
    if (baselines.leave_room_for_shares()) {
        line += engine(shares.h2d, Bound::h2d) + engine(shares.d2h, Bound::d2h) +
                engine(shares.sm, Bound::sm) + engine(shares.host, Bound::host);
    }
    return without_trailing_blanks(std::move(line)) + '\n';
}

std::string table(const PredictionSweep& sweep, const TerminalStyle& style) {
    std::vector<Duration> walls;
    double fastest = 0;
    for (const auto& prediction : sweep.predictions) {
        walls.push_back(prediction.wall);
        fastest = std::max(fastest, prediction.speedup);
    }
    const auto wall_texts = human_durations(walls, style);
    const BaselineColumns baselines{sweep, style};
    auto result = titles(baselines, style) + rule(style);
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const auto share = fastest > 0 ? sweep.predictions[i].speedup / fastest : 0;
        result +=
            row(sweep.predictions[i], {i, wall_texts[i], share, sweep.best == i}, baselines, style);
    }
    return result + baselines.note();
}

}  // namespace

std::string prediction_table(const PredictionSweep& sweep, const TerminalStyle& style) {
    std::string result = header(sweep, style) + '\n' + table(sweep, style);
    if (sweep.best) {
        constexpr std::string_view kLabel = "Best: ";
        const auto paragraph = wrapped(best_in_words(sweep, style), kLabel);
        result +=
            '\n' + emphasised("Best:", Emphasis::good, style) + paragraph.substr(kLabel.size() - 1);
    }
    const auto warnings = warning_paragraphs(all_warnings(sweep), style);
    return warnings.empty() ? result : result + '\n' + warnings;
}

}  // namespace overcast
