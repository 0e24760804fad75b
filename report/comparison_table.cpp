#include "report/comparison_table.hpp"

#include "report/comparison_digest.hpp"
#include "report/human_units.hpp"
#include "report/summary_section.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <vector>

namespace overcast {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string shift(Duration moved, const TerminalStyle& style) {
    return fmt::format("{}{}", moved < Duration{} ? '-' : '+',
                       human_duration(std::chrono::abs(moved), style));
}

std::string counts(std::uint64_t left, std::uint64_t right) {
    return left == right ? human_count(left)
                         : fmt::format("{} / {}", human_count(left), human_count(right));
}

std::string header(const Comparison& comparison, const TerminalStyle& style) {
    const auto& left = comparison.left;
    const auto& right = comparison.right;
    auto text = labelled(left.label, printable(left.title), style) +
                labelled(right.label, printable(right.title), style);
    const auto device = [](const ComparedSide& side) {
        return side.device.empty() ? std::string{"not recorded"} : printable(side.device);
    };
    text += labelled(
        "device",
        left.device == right.device ? device(left) : device(left) + " and " + device(right), style);
    return text + labelled("matched", matched_in_words(comparison), style);
}

std::string totals(const Comparison& comparison, const TerminalStyle& style) {
    const auto& left = comparison.left;
    const auto& right = comparison.right;
    Rows rows;
    const auto time = [&](const char* name, Duration ComparedSide::*member) {
        rows.push_back({name, human_duration(left.*member, style),
                        human_duration(right.*member, style),
                        change_in_percent(left.*member, right.*member)});
    };
    const auto plain = [&](const char* name, const std::string& a, const std::string& b) {
        rows.push_back({name, a, b, ""});
    };
    time("makespan", &ComparedSide::wall);
    time("device, first start to last end", &ComparedSide::device_span);
    time("in calls that wait", &ComparedSide::waiting);
    plain("share of host time", percent(left.host_share), percent(right.host_share));
    plain("share of device time", percent(left.device_share), percent(right.device_share));
    plain("streams", std::to_string(left.streams), std::to_string(right.streams));
    plain("host threads", std::to_string(left.threads), std::to_string(right.threads));
    return '\n' + text_table({{"whole"},
                              {left.label, Align::right},
                              {right.label, Align::right},
                              {"difference", Align::right}},
                             rows, style);
}

std::string agreements(const Comparison& comparison, const TerminalStyle& style) {
    Rows rows;
    const auto add = [&](const char* name, const std::optional<Agreement>& agreement) {
        if (agreement) {
            rows.push_back({name, human_count(agreement->operations), percent(agreement->median),
                            percent(agreement->p90)});
        }
    };
    add("start of the call to start on the device", comparison.start_delay);
    add("duration of calls that wait", comparison.waiting_calls);
    add("duration of launches into a full queue", comparison.held_up_launches);
    return section("Difference, operation by operation",
                   {{"time"},
                    {"pairs", Align::right},
                    {"median", Align::right},
                    {"90 % within", Align::right}},
                   rows, 0, style);
}

std::string kinds(const Comparison& comparison, const TerminalStyle& style) {
    Rows rows;
    for (const auto& kind : comparison.kinds) {
        rows.push_back({kind.kind, counts(kind.left_count, kind.right_count),
                        human_duration(kind.left, style), human_duration(kind.right, style),
                        change_in_percent(kind.left, kind.right)});
    }
    return section("Device time by kind",
                   {{"kind"},
                    {"count", Align::right},
                    {comparison.left.label, Align::right},
                    {comparison.right.label, Align::right},
                    {"difference", Align::right}},
                   rows, 0, style);
}

std::string waits(const Comparison& comparison, const TerminalStyle& style) {
    Rows rows;
    for (const auto& wait : comparison.waits) {
        rows.push_back({printable(wait.name), counts(wait.left_count, wait.right_count),
                        human_duration(wait.left, style), human_duration(wait.right, style),
                        change_in_percent(wait.left, wait.right),
                        wait.median_error ? percent(*wait.median_error) : "-"});
    }
    return section("Calls that wait for the device",
                   {{"call", Align::left, true},
                    {"count", Align::right},
                    {comparison.left.label, Align::right},
                    {comparison.right.label, Align::right},
                    {"difference", Align::right},
                    {"median off", Align::right}},
                   rows, 0, style);
}

std::string stream_text(const std::optional<StreamId>& stream) {
    return stream ? std::to_string(number(*stream)) : "-";
}

std::string different_operations(std::string_view title, const Comparison& comparison,
                                 std::size_t most, const EntryMeasure& measure,
                                 const TerminalStyle& style) {
    Rows rows;
    for (const auto* operation : most_different(comparison, most, measure)) {
        const auto streams = stream_text(operation->left_stream);
        const auto other = stream_text(operation->right_stream);
        rows.push_back(
            {fmt::format("{} #{}",
                         operation_in_words(operation->kind, operation->name, operation->amount),
                         operation->ordinal + 1),
             streams == other ? streams : streams + "/" + other,
             human_duration(measure(operation->left), style),
             human_duration(measure(operation->right), style),
             shift(measure(operation->right) - measure(operation->left), style)});
    }
    return section(title,
                   {{"operation", Align::left, true},
                    {"stream", Align::right},
                    {comparison.left.label, Align::right},
                    {comparison.right.label, Align::right},
                    {"difference", Align::right}},
                   rows, 0, style);
}

/// What one side alone has, most time first.
std::string unmatched(const ComparedSide& side, const std::vector<UnmatchedOperation>& operations,
                      std::size_t most, const TerminalStyle& style) {
    const auto groups = unmatched_groups(operations);
    Rows rows;
    for (const auto& group : groups) {
        if (rows.size() < most) {
            rows.push_back(
                {group.text, human_count(group.count), human_duration(group.time, style)});
        }
    }
    auto text =
        section(fmt::format("Only {}", side.label),
                {{"operation", Align::left, true}, {"count", Align::right}, {"time", Align::right}},
                rows, 0, style);
    if (groups.size() > rows.size()) {
        text += fmt::format("and {} more\n", human_count(groups.size() - rows.size()));
    }
    return text;
}

}  // namespace

std::string comparison_table(const Comparison& comparison, std::size_t most,
                             const TerminalStyle& style) {
    auto text = header(comparison, style) + totals(comparison, style) +
                agreements(comparison, style) + kinds(comparison, style) + waits(comparison, style);
    text += different_operations("Starts that moved most, counted from the start of the region",
                                 comparison, most, start_of, style);
    text +=
        different_operations("Durations that changed most: on the device, of a wait in its call",
                             comparison, most, length_of, style);
    text += unmatched(comparison.left, comparison.only_left, most, style);
    text += unmatched(comparison.right, comparison.only_right, most, style);
    const auto warnings = warning_paragraphs(comparison.warnings, style);
    return warnings.empty() ? text : text + '\n' + warnings;
}

}  // namespace overcast
