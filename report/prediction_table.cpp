#include "report/prediction_table.hpp"

#include "report/baseline_columns.hpp"
#include "report/human_units.hpp"
#include "report/prediction_words.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace overcast {
namespace {

// Columns; with the mark and the gaps 80 in all. Where there are intervals, they stand in place of
// the bar, which a wide terminal shows behind all. Where baselines are asked for, theirs come
// behind the speed-up, and what no longer fits is left out.
constexpr std::size_t kStreamsWidth = 7;
constexpr std::size_t kOrderWidth = 8;
constexpr std::size_t kWallWidth = 11;
constexpr std::size_t kSpeedupWidth = 7;
constexpr std::size_t kBarWidth = 12;
constexpr std::size_t kRangeWidth = 13;
constexpr std::size_t kBoundWidth = 8;
constexpr std::size_t kShareWidth = 5;
constexpr std::string_view kGap = "  ";
// What a wide terminal leaves for bars behind everything else, where they lost their place.
constexpr std::size_t kLeastWideBar = 10;
constexpr std::size_t kMostWideBar = 40;

/// 0: no room for them.
std::size_t wide_bar_width(const TerminalStyle& style) {
    const auto room = style.width - std::min(style.width, kReportWidth + kGap.size());
    return room < kLeastWideBar ? 0 : std::min(room, kMostWideBar);
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

std::string left_titles(bool ranges) {
    std::string line = " ";
    line += right_aligned("streams", kStreamsWidth);
    line += kGap;
    line += left_aligned("order", kOrderWidth);
    line += right_aligned("wall time", ranges ? kWallWidth - 1 : kWallWidth);
    if (ranges) {
        line += right_aligned("90 % within", kRangeWidth);
    }
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

std::string titles(const BaselineColumns& baselines, bool ranges, const TerminalStyle& style) {
    auto line = left_titles(ranges);
    std::string above;
    if (ranges) {
        line += kGap.substr(1);
    } else if (baselines.count() == 0) {
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
    if (ranges && wide_bar_width(style) > 0) {
        line += kGap;
        line += "speed-up";
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
    std::string range;  ///< empty: a bar instead
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
    if (!look.range.empty()) {
        line += emphasised(right_aligned(look.wall, kWallWidth - 1), emphasis, style);
        line += right_aligned(look.range, kRangeWidth);
        line += emphasised(right_aligned(speedup, kSpeedupWidth + 2), emphasis, style);
        line += kGap.substr(1);
    } else if (baselines.count() == 0) {
        line += emphasised(right_aligned(look.wall, kWallWidth) +
                               right_aligned(speedup, kSpeedupWidth) + " " + drawn,
                           emphasis, style);
        line += std::string(kBarWidth - display_width(drawn), ' ');
        line += kGap;
    } else {
        line += emphasised(right_aligned(look.wall, kWallWidth), emphasis, style);
        line += emphasised(right_aligned(speedup, kSpeedupWidth + 2), emphasis, style);
        line += baselines.cells(look.index);
        line += kGap;
    }
    if (baselines.leave_room_for_bound()) {
        line += left_aligned(bound_label(prediction.bound_by), kBoundWidth);
    }
    if (baselines.leave_room_for_shares()) {
        line += engine(shares.h2d, Bound::h2d) + engine(shares.d2h, Bound::d2h) +
                engine(shares.sm, Bound::sm) + engine(shares.host, Bound::host);
    }
    if (!look.range.empty() && wide_bar_width(style) > 0) {
        line += kGap;
        line += emphasised(bar(look.bar_share, wide_bar_width(style), style), emphasis, style);
    }
    return without_trailing_blanks(std::move(line)) + '\n';
}

/// One for each prediction ("-" where it has no interval), or nothing where none has one or
/// baselines take the room.
std::vector<std::string> range_texts(const PredictionSweep& sweep, Duration longest,
                                     const BaselineColumns& baselines, const TerminalStyle& style) {
    std::vector<std::pair<Duration, Duration>> ranges;
    for (const auto& prediction : sweep.predictions) {
        if (prediction.interval) {
            ranges.emplace_back(prediction.interval->low, prediction.interval->high);
        }
    }
    if (ranges.empty() || baselines.count() > 0) {
        return {};
    }
    const auto known = human_ranges(ranges, longest, kRangeWidth - 1, style);
    std::vector<std::string> result;
    std::size_t next = 0;
    for (const auto& prediction : sweep.predictions) {
        result.push_back(prediction.interval ? known[next++] : "-");
    }
    return result;
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
    const auto longest = walls.empty() ? Duration{} : *std::ranges::max_element(walls);
    const auto ranges = range_texts(sweep, longest, baselines, style);
    auto result = titles(baselines, !ranges.empty(), style) + rule(style);
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const auto share = fastest > 0 ? sweep.predictions[i].speedup / fastest : 0;
        const RowLook look{i, wall_texts[i], ranges.empty() ? "" : ranges[i], share,
                           sweep.best == i};
        result += row(sweep.predictions[i], look, baselines, style);
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
