#include "report/wall_time_chart.hpp"

#include "report/human_units.hpp"
#include "report/terminal_text.hpp"

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

constexpr std::size_t kStreamsColumn = 7;
constexpr std::size_t kOrderColumn = 10;
constexpr std::size_t kNarrowest = 10;
constexpr std::string_view kBetween = "  ";

double share(Duration part, Duration whole) {
    return whole > Duration::zero()
               ? static_cast<double>(part.count()) / static_cast<double>(whole.count())
               : 0;
}

/// The solid part ends where the interval begins; a column belongs to what holds its middle.
std::string bar_with_interval(const WallInterval& interval, Duration longest, std::size_t columns,
                              const TerminalStyle& style) {
    std::string result;
    for (std::size_t i = 0; i < columns; ++i) {
        const auto middle = (static_cast<double>(i) + 0.5) / static_cast<double>(columns);
        if (middle < share(interval.low, longest)) {
            result += style.unicode ? "█" : "#";
        } else if (middle < share(interval.high, longest)) {
            result += style.unicode ? "▒" : "=";
        }
    }
    return result;
}

Duration longest_of(const PredictionSweep& sweep) {
    Duration longest{};
    for (const auto& prediction : sweep.predictions) {
        longest = std::max(
            {longest, prediction.wall, prediction.interval ? prediction.interval->high : longest});
    }
    return longest;
}

std::string titles(const PredictionSweep& sweep, const TerminalStyle& style) {
    std::string line = " ";
    line += right_aligned("streams", kStreamsColumn);
    line += kBetween;
    line += left_aligned("order", kOrderColumn);
    line += "wall time, shorter is better";
    if (std::ranges::any_of(sweep.predictions, [](const auto& prediction) {
            return prediction.interval.has_value();
        })) {
        line += style.unicode ? " (▒: the 90 % interval)" : " (=: the 90 % interval)";
    }
    return emphasised(line, Emphasis::strong, style) + '\n';
}

}  // namespace

std::string wall_time_chart(const PredictionSweep& sweep, const TerminalStyle& style) {
    std::vector<Duration> walls;
    std::size_t widest = 0;
    for (const auto& prediction : sweep.predictions) {
        walls.push_back(prediction.wall);
    }
    const auto texts = human_durations(walls, style);
    for (const auto& text : texts) {
        widest = std::max(widest, display_width(text));
    }
    const auto taken = 1 + kStreamsColumn + kBetween.size() + kOrderColumn + 1 + widest;
    const auto columns = std::max(style.width, taken + kNarrowest) - taken;
    const auto longest = longest_of(sweep);

    auto result = titles(sweep, style);
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const auto& prediction = sweep.predictions[i];
        const auto emphasis = sweep.best == i ? Emphasis::good : Emphasis::none;
        std::string line = sweep.best == i ? (style.unicode ? "▶" : ">") : " ";
        line += right_aligned(std::to_string(prediction.configuration.streams), kStreamsColumn);
        line += kBetween;
        line += left_aligned(to_string(prediction.configuration.order), kOrderColumn);
        line += prediction.interval
                    ? bar_with_interval(*prediction.interval, longest, columns, style)
                    : bar(share(prediction.wall, longest), columns, style);
        result += emphasised(line + ' ' + texts[i], emphasis, style) + '\n';
    }
    return result;
}

}  // namespace overcast
