#include "report/comparison_digest.hpp"

#include "report/function_name.hpp"
#include "report/human_units.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace overcast {

std::string change_in_percent(Duration left, Duration right) {
    if (left <= Duration{}) {
        return right <= Duration{} ? "0.0 %" : "-";
    }
    const auto percent =
        static_cast<double>((right - left).count()) / static_cast<double>(left.count()) * 100;
    const auto rounded = std::round(percent * 10) / 10;
    return rounded == 0 ? "0.0 %" : fmt::format("{:+.1f} %", rounded);
}

std::string headline(const Comparison& comparison, const TerminalStyle& style) {
    const auto& left = comparison.left;
    const auto& right = comparison.right;
    const auto walls = fmt::format("Makespan {} {}, {} {}", human_duration(left.wall, style),
                                   left.label, human_duration(right.wall, style), right.label);
    if (left.wall == right.wall) {
        return walls + ": the same.";
    }
    return fmt::format(
        "{}: {} {} ({}).", walls, human_duration(std::chrono::abs(right.wall - left.wall), style),
        right.wall < left.wall ? "less" : "more", change_in_percent(left.wall, right.wall));
}

std::string matched_in_words(const Comparison& comparison) {
    const auto work = static_cast<std::uint64_t>(std::ranges::count_if(
        comparison.matched, [](const auto& operation) { return operation.kind != "call"; }));
    auto text = fmt::format("{} and {}", counted(work, "operation"),
                            counted(comparison.matched.size() - work, "wait"));
    if (!comparison.only_left.empty() || !comparison.only_right.empty()) {
        text += fmt::format("; only {}: {}, only {}: {}", comparison.left.label,
                            human_count(comparison.only_left.size()), comparison.right.label,
                            human_count(comparison.only_right.size()));
    }
    return text;
}

std::string operation_in_words(const std::string& kind, const std::string& name,
                               std::uint64_t amount) {
    if (kind == "call") {
        return printable(name);
    }
    return kind == "kernel" ? function_name(printable(name))
                            : kind + ", " + human_bytes(Bytes{amount});
}

Duration start_of(const TimelineEntry& entry) {
    return (entry.on_device ? entry.device_start : entry.call_start) - TimelineTime{};
}

Duration length_of(const TimelineEntry& entry) {
    return entry.on_device ? entry.device_end - entry.device_start
                           : entry.call_end - entry.call_start;
}

std::vector<const ComparedOperation*> most_different(const Comparison& comparison, std::size_t most,
                                                     const EntryMeasure& measure) {
    const auto difference = [&](const ComparedOperation* operation) {
        return measure(operation->right) - measure(operation->left);
    };
    std::vector<const ComparedOperation*> order;
    for (const auto& operation : comparison.matched) {
        if (difference(&operation) != Duration{}) {
            order.push_back(&operation);
        }
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](const auto* operation) {
        return std::chrono::abs(difference(operation));
    });
    order.resize(std::min(order.size(), most));
    return order;
}

std::vector<UnmatchedGroup> unmatched_groups(const std::vector<UnmatchedOperation>& operations) {
    std::vector<UnmatchedGroup> groups;
    for (const auto& operation : operations) {
        const auto text = operation_in_words(operation.kind, operation.name, operation.amount);
        auto known = std::ranges::find(groups, text, &UnmatchedGroup::text);
        if (known == groups.end()) {
            known = groups.insert(groups.end(), UnmatchedGroup{text});
        }
        ++known->count;
        known->time += length_of(operation.entry);
    }
    std::ranges::stable_sort(groups, std::ranges::greater{}, &UnmatchedGroup::time);
    return groups;
}

}  // namespace overcast
