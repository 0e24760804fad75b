#include "report/html/comparison_section.hpp"

#include "formats/chrome_event_writer.hpp"
#include "report/comparison_digest.hpp"
#include "report/comparison_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace overcast {
namespace {

std::string groups_json(const std::vector<UnmatchedOperation>& operations) {
    std::vector<std::string> rows;
    for (const auto& group : unmatched_groups(operations)) {
        rows.push_back(fmt::format(R"({{"what":{},"count":{},"time_us":{}}})",
                                   json_string(group.text), group.count,
                                   to_microseconds(group.time)));
    }
    return fmt::format("[{}]", fmt::join(rows, ","));
}

}  // namespace

HtmlSection comparison_section(const Comparison& comparison, std::size_t most) {
    auto totals = comparison;
    totals.matched.clear();
    totals.only_left.clear();
    totals.only_right.clear();
    const auto ranked = [&](const EntryMeasure& measure) {
        return compared_operations_json(most_different(comparison, most, measure));
    };
    return {
        "comparison",
        fmt::format(R"({{"comparison":{},"moved":{},"changed":{},"only_left":{},"only_right":{}}})",
                    comparison_json(totals), ranked(start_of), ranked(length_of),
                    groups_json(comparison.only_left), groups_json(comparison.only_right))};
}

}  // namespace overcast
