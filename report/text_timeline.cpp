#include "report/text_timeline.hpp"

#include "report/human_units.hpp"
#include "report/terminal_text.hpp"
#include "report/timeline_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace overcast {
namespace {

constexpr std::size_t kFewestColumns = 20;

/// How one kind of work is drawn in a stream's row.
struct Look {
    char letter = ' ';
    Emphasis emphasis = Emphasis::none;
    std::string_view words;
};

/// In the order of CellKind, without waiting.
constexpr std::array<Look, kCellKinds - 1> kLooks{{
    {'H', Emphasis::cyan, "copy to the device"},
    {'D', Emphasis::magenta, "copy to the host"},
    {'C', Emphasis::blue, "other copy"},
    {'M', Emphasis::red, "memset"},
    {'K', Emphasis::good, "kernel"},
    {'F', Emphasis::blue, "host function"},
}};

const Look& look_of(CellKind kind) { return kLooks[static_cast<std::size_t>(kind)]; }

/// Up to a quarter, a half, three quarters, all of a column.
std::string_view shade(Duration busy, Duration column, const TerminalStyle& style) {
    constexpr std::array<std::string_view, 4> kBlocks{"░", "▒", "▓", "█"};
    constexpr std::array<std::string_view, 4> kAscii{":", "+", "%", "#"};
    const auto quarters = std::ceil(4.0 * static_cast<double>(busy.count()) /
                                    static_cast<double>(std::max(column, Duration{1}).count()));
    const auto level = static_cast<std::size_t>(std::clamp(quarters, 1.0, 4.0)) - 1;
    return style.unicode ? kBlocks[level] : kAscii[level];
}

std::string_view waiting_mark(const TerminalStyle& style) { return style.unicode ? "·" : "."; }

/// One column of a row.
struct Drawn {
    std::string text = " ";
    Emphasis emphasis = Emphasis::none;
};

Drawn drawn(const TimelineCell& cell, RowKind row, Duration column, const TerminalStyle& style) {
    if (const auto most = cell.most_work()) {
        if (row != RowKind::stream) {
            return {std::string{shade(cell.work(), column, style)}, Emphasis::none};
        }
        const auto& look = look_of(*most);
        constexpr char kToSmall = 'a' - 'A';
        const bool half = cell.work() * 2 >= column;
        const auto letter = half ? look.letter : static_cast<char>(look.letter + kToSmall);
        return {std::string(1, letter), look.emphasis};
    }
    if (cell.of(CellKind::waiting) > Duration::zero()) {
        return {std::string{waiting_mark(style)}, Emphasis::faint};
    }
    return {};
}

class TextTimeline {
public:
    TextTimeline(const Workload& workload, const Timeline& timeline, const TerminalStyle& style)
        : style_{style},
          columns_{std::max(style.width, kFewestColumns + kLabelWidth) - kLabelWidth},
          shown_{timeline_rows(workload, timeline, columns_, kMostTimelineStreams)} {}

    [[nodiscard]] std::string text(std::string_view title, Duration wall) const {
        auto result = labelled(
            "timeline",
            fmt::format("{}: {}; a column is {}", printable(title), human_duration(wall, style_),
                        human_duration(column_duration(), style_)),
            style_);
        result += '\n';
        result += scale();
        for (std::size_t i = 0; i < shown_.rows.size(); ++i) {
            result += row(shown_.rows[i]);
            const bool last_stream = shown_.rows[i].kind == RowKind::stream &&
                                     shown_.rows[i + 1].kind != RowKind::stream;
            if (last_stream && shown_.streams_left_out > 0) {
                result += fmt::format("{}and {}\n", std::string(kLabelWidth, ' '),
                                      counted(shown_.streams_left_out, "more stream"));
            }
        }
        return result + '\n' + legend();
    }

private:
    [[nodiscard]] Duration column_duration() const {
        return shown_.end / static_cast<std::int64_t>(columns_);
    }

    [[nodiscard]] Duration length_of(std::size_t column) const {
        return shown_.column_begin(column + 1, columns_) - shown_.column_begin(column, columns_);
    }

    /// 1, 2 or 5 times a power of ten of the nanoseconds, at least `kLeastTick` columns apart.
    [[nodiscard]] Duration tick() const {
        constexpr double kLeastTick = 9;
        const auto least =
            static_cast<double>(shown_.end.count()) * kLeastTick / static_cast<double>(columns_);
        Duration step{1};
        for (std::size_t i = 0; static_cast<double>(step.count()) < least; ++i) {
            step = i % 3 == 1 ? step * 5 / 2 : step * 2;
        }
        return step;
    }

    /// The numbers above the ticks, as many as there is room for, and the line that they stand on.
    [[nodiscard]] std::string scale() const {
        const std::string margin(kLabelWidth, ' ');
        std::string numbers = margin;
        std::vector<bool> ticks(columns_, false);
        const auto step = tick();
        for (Duration time{}; time < shown_.end; time += step) {
            const auto column = shown_.column_of(time, columns_);
            ticks[column] = true;
            auto label = number_in_unit_of(time, shown_.end, style_);
            if (column == 0) {
                label += fmt::format(" {}", unit_of(shown_.end, style_));
            }
            const auto begin = kLabelWidth + column;
            const bool fits = begin + display_width(label) <= kLabelWidth + columns_ &&
                              (column == 0 || display_width(numbers) < begin);
            if (fits) {
                numbers = left_aligned(numbers, begin) + label;
            }
        }
        std::string rule;
        for (std::size_t column = 0; column < columns_; ++column) {
            if (ticks[column]) {
                rule += style_.unicode ? (column == 0 ? "├" : "┼") : (column == 0 ? "|" : "+");
            } else {
                rule += style_.unicode ? "─" : "-";
            }
        }
        return numbers + '\n' + margin + emphasised(rule, Emphasis::faint, style_) + '\n';
    }

    [[nodiscard]] std::string row(const TimelineRow& row) const {
        std::vector<Drawn> cells;
        for (std::size_t column = 0; column < columns_; ++column) {
            cells.push_back(drawn(row.cells[column], row.kind, length_of(column), style_));
        }
        while (!cells.empty() && cells.back().text == " ") {
            cells.pop_back();
        }
        if (cells.empty()) {
            return row.label + '\n';
        }
        // One pair of colour codes for a run of like columns.
        std::string line = left_aligned(row.label, kLabelWidth);
        for (std::size_t i = 0; i < cells.size();) {
            const auto emphasis = cells[i].emphasis;
            std::string run;
            for (; i < cells.size() && cells[i].emphasis == emphasis; ++i) {
                run += cells[i].text;
            }
            line += emphasised(run, emphasis, style_);
        }
        return line + '\n';
    }

    /// What is drawn, and nothing else.
    [[nodiscard]] std::string legend() const {
        std::array<bool, kCellKinds> seen{};
        for (const auto& row : shown_.rows) {
            for (const auto& cell : row.cells) {
                const auto most = cell.most_work();
                if (most && row.kind == RowKind::stream) {
                    seen[static_cast<std::size_t>(*most)] = true;
                } else if (!most && cell.of(CellKind::waiting) > Duration::zero()) {
                    seen[static_cast<std::size_t>(CellKind::waiting)] = true;
                }
            }
        }
        std::string words;
        for (std::size_t kind = 0; kind < kLooks.size(); ++kind) {
            if (seen[kind]) {
                words += fmt::format("{} {}, ", kLooks[kind].letter, kLooks[kind].words);
            }
        }
        if (seen[static_cast<std::size_t>(CellKind::waiting)]) {
            words += fmt::format("{} waiting, ", waiting_mark(style_));
        }
        words += "small letters: less than half of the column. ";
        words += fmt::format(
            "Engines and host: {} {} {} {} busy up to 25, 50, 75, 100 % of the column.",
            shade(Duration{1}, Duration{4}, style_), shade(Duration{2}, Duration{4}, style_),
            shade(Duration{3}, Duration{4}, style_), shade(Duration{4}, Duration{4}, style_));
        return labelled("", words, style_);
    }

    const TerminalStyle& style_;
    std::size_t columns_;
    TimelineRows shown_;
};

}  // namespace

std::string text_timeline(const Workload& workload, const Timeline& timeline,
                          std::string_view title, const TerminalStyle& style) {
    return TextTimeline{workload, timeline, style}.text(title, timeline.wall);
}

}  // namespace overcast
