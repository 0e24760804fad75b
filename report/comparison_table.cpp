#include "report/comparison_table.hpp"

#include "report/function_name.hpp"
#include "report/human_units.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

namespace overcast {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// "-3.0 %": of `left`; "-" where there is nothing to relate to.
std::string change(Duration left, Duration right) {
    if (left <= Duration{}) {
        return right <= Duration{} ? "0.0 %" : "-";
    }
    const auto percent =
        static_cast<double>((right - left).count()) / static_cast<double>(left.count()) * 100;
    const auto rounded = std::round(percent * 10) / 10;
    return rounded == 0 ? "0.0 %" : fmt::format("{:+.1f} %", rounded);
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string shift(Duration moved, const TerminalStyle& style) {
    return fmt::format("{}{}", moved < Duration{} ? '-' : '+',
                       human_duration(std::chrono::abs(moved), style));
}

std::string counts(std::uint64_t left, std::uint64_t right) {
    return left == right ? human_count(left)
                         : fmt::format("{} / {}", human_count(left), human_count(right));
}

std::string section(std::string_view title, const std::vector<Column>& columns, const Rows& rows,
                    const TerminalStyle& style) {
    if (rows.empty()) {
        return "";
    }
    return '\n' + emphasised(title, Emphasis::strong, style) + '\n' +
           text_table(columns, rows, style);
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
    const auto work = std::ranges::count_if(
        comparison.matched, [](const auto& operation) { return operation.kind != "call"; });
    auto matched =
        fmt::format("{} and {}", counted(static_cast<std::uint64_t>(work), "operation"),
                    counted(comparison.matched.size() - static_cast<std::uint64_t>(work), "wait"));
    if (!comparison.only_left.empty() || !comparison.only_right.empty()) {
        matched += fmt::format("; only {}: {}, only {}: {}", left.label,
                               human_count(comparison.only_left.size()), right.label,
                               human_count(comparison.only_right.size()));
    }
    return text + labelled("matched", matched, style);
}

std::string totals(const Comparison& comparison, const TerminalStyle& style) {
    const auto& left = comparison.left;
    const auto& right = comparison.right;
    Rows rows;
    const auto time = [&](const char* name, Duration ComparedSide::*member) {
        rows.push_back({name, human_duration(left.*member, style),
                        human_duration(right.*member, style), change(left.*member, right.*member)});
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
                   rows, style);
}

std::string kinds(const Comparison& comparison, const TerminalStyle& style) {
    Rows rows;
    for (const auto& kind : comparison.kinds) {
        rows.push_back({kind.kind, counts(kind.left_count, kind.right_count),
                        human_duration(kind.left, style), human_duration(kind.right, style),
                        change(kind.left, kind.right)});
    }
    return section("Device time by kind",
                   {{"kind"},
                    {"count", Align::right},
                    {comparison.left.label, Align::right},
                    {comparison.right.label, Align::right},
                    {"difference", Align::right}},
                   rows, style);
}

std::string waits(const Comparison& comparison, const TerminalStyle& style) {
    Rows rows;
    for (const auto& wait : comparison.waits) {
        rows.push_back({printable(wait.name), counts(wait.left_count, wait.right_count),
                        human_duration(wait.left, style), human_duration(wait.right, style),
                        change(wait.left, wait.right),
                        wait.median_error ? percent(*wait.median_error) : "-"});
    }
    return section("Calls that wait for the device",
                   {{"call", Align::left, true},
                    {"count", Align::right},
                    {comparison.left.label, Align::right},
                    {comparison.right.label, Align::right},
                    {"difference", Align::right},
                    {"median off", Align::right}},
                   rows, style);
}

std::string words(const std::string& kind, const std::string& name, std::uint64_t amount) {
    if (kind == "call") {
        return printable(name);
    }
    return kind == "kernel" ? function_name(printable(name))
                            : kind + ", " + human_bytes(Bytes{amount});
}

std::string stream_text(const std::optional<StreamId>& stream) {
    return stream ? std::to_string(number(*stream)) : "-";
}

/// Where an operation stands on the time axis: its device start, or its call's.
TimelineTime position(const TimelineEntry& entry) {
    return entry.on_device ? entry.device_start : entry.call_start;
}

Duration length(const TimelineEntry& entry) {
    return entry.on_device ? entry.device_end - entry.device_start
                           : entry.call_end - entry.call_start;
}

using Measure = std::function<Duration(const TimelineEntry&)>;

/// The operations in which `measure` differs most; of equals those that come first.
std::string most_different(std::string_view title, const Comparison& comparison, std::size_t most,
                           const Measure& measure, const TerminalStyle& style) {
    std::vector<const ComparedOperation*> order;
    const auto difference = [&](const ComparedOperation* operation) {
        return measure(operation->right) - measure(operation->left);
    };
    for (const auto& operation : comparison.matched) {
        if (difference(&operation) != Duration{}) {
            order.push_back(&operation);
        }
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](const auto* operation) {
        return std::chrono::abs(difference(operation));
    });
    Rows rows;
    for (const auto* operation : order) {
        if (rows.size() == most) {
            break;
        }
        const auto streams = stream_text(operation->left_stream);
        const auto other = stream_text(operation->right_stream);
        rows.push_back(
            {fmt::format("{} #{}", words(operation->kind, operation->name, operation->amount),
                         operation->ordinal + 1),
             streams == other ? streams : streams + "/" + other,
             human_duration(measure(operation->left), style),
             human_duration(measure(operation->right), style),
             shift(difference(operation), style)});
    }
    return section(title,
                   {{"operation", Align::left, true},
                    {"stream", Align::right},
                    {comparison.left.label, Align::right},
                    {comparison.right.label, Align::right},
                    {"difference", Align::right}},
                   rows, style);
}

/// What one side alone has, most frequent first.
std::string unmatched(const ComparedSide& side, const std::vector<UnmatchedOperation>& operations,
                      std::size_t most, const TerminalStyle& style) {
    struct Group {
        std::string text;
        std::uint64_t count = 0;
        Duration time{};
    };
    std::vector<Group> groups;
    for (const auto& operation : operations) {
        const auto text = words(operation.kind, operation.name, operation.amount);
        auto known = std::ranges::find(groups, text, &Group::text);
        if (known == groups.end()) {
            known = groups.insert(groups.end(), Group{text});
        }
        ++known->count;
        known->time += length(operation.entry);
    }
    std::ranges::stable_sort(groups, std::ranges::greater{}, &Group::time);
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
                rows, style);
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
    text += most_different(
        "Starts that moved most, counted from the start of the region", comparison, most,
        [](const TimelineEntry& entry) { return position(entry) - TimelineTime{}; }, style);
    text += most_different("Durations that changed most: on the device, of a wait in its call",
                           comparison, most, length, style);
    text += unmatched(comparison.left, comparison.only_left, most, style);
    text += unmatched(comparison.right, comparison.only_right, most, style);
    const auto warnings = warning_paragraphs(comparison.warnings, style);
    return warnings.empty() ? text : text + '\n' + warnings;
}

}  // namespace overcast
