#include "report/baseline_columns.hpp"

#include "report/human_units.hpp"
#include "report/terminal_text.hpp"

#include <algorithm>
#include <string_view>

namespace overcast {
namespace {

constexpr std::size_t kWidth = 12;  // with a blank before it at least
constexpr std::string_view kAbsent = "-";

/// "trans-kernel-model" → "trans-", "kernel-", "model".
std::vector<std::string> broken(std::string_view name) {
    std::vector<std::string> lines{""};
    while (!name.empty()) {
        const auto hyphen = name.find('-');
        const auto piece = name.substr(0, hyphen == std::string_view::npos ? hyphen : hyphen + 1);
        if (!lines.back().empty() && lines.back().size() + piece.size() >= kWidth) {
            lines.emplace_back();
        }
        lines.back() += piece;
        name.remove_prefix(piece.size());
    }
    return lines;
}

/// In one unit, "-" for those that are absent.
std::vector<std::string> texts_of(const std::vector<std::optional<Duration>>& walls,
                                  const TerminalStyle& style) {
    std::vector<Duration> known;
    for (const auto& wall : walls) {
        if (wall) {
            known.push_back(*wall);
        }
    }
    const auto texts = human_durations(known, style);
    std::vector<std::string> result;
    std::size_t next = 0;
    for (const auto& wall : walls) {
        result.push_back(wall ? texts[next++] : std::string{kAbsent});
    }
    return result;
}

}  // namespace

BaselineColumns::BaselineColumns(const PredictionSweep& sweep, const TerminalStyle& style) {
    if (sweep.predictions.empty()) {
        return;
    }
    for (std::size_t i = 0; i < sweep.predictions.front().baselines.size(); ++i) {
        std::vector<std::optional<Duration>> walls;
        for (const auto& prediction : sweep.predictions) {
            walls.push_back(prediction.baselines.at(i).wall);
            any_absent_ = any_absent_ || !walls.back();
        }
        names_.push_back(sweep.predictions.front().baselines[i].name);
        columns_.push_back(texts_of(walls, style));
    }
}

std::vector<std::string> BaselineColumns::titles() const {
    std::vector<std::vector<std::string>> names;
    std::size_t height = 1;
    for (const auto& name : names_) {
        names.push_back(broken(name));
        height = std::max(height, names.back().size());
    }
    std::vector<std::string> lines(height);
    for (const auto& name : names) {
        const auto above = height - name.size();
        for (std::size_t i = 0; i < height; ++i) {
            lines[i] += right_aligned(i < above ? "" : name[i - above], kWidth);
        }
    }
    return lines;
}

std::string BaselineColumns::cells(std::size_t prediction) const {
    std::string result;
    for (const auto& column : columns_) {
        result += right_aligned(column[prediction], kWidth);
    }
    return result;
}

std::string BaselineColumns::note() const {
    return any_absent_ ? "\n-: that model says nothing about such work, or knows too little of the "
                         "device.\n"
                       : "";
}

}  // namespace overcast
