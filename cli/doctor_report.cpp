#include "cli/doctor_report.hpp"

#include "formats/chrome_event_writer.hpp"
#include "report/csv_field.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

std::string line_of(const Finding& finding, std::size_t width, const TerminalStyle& style) {
    constexpr std::size_t kHealthWidth = 9;
    const auto emphasis = finding.health == Health::ok        ? Emphasis::good
                          : finding.health == Health::warning ? Emphasis::strong
                                                              : Emphasis::alarming;
    const auto first = left_aligned(to_string(finding.health), kHealthWidth) +
                       left_aligned(finding.subject, width) + "  ";
    auto text = wrapped(printable(finding.found), first);
    text.replace(0, to_string(finding.health).size(),
                 emphasised(to_string(finding.health), emphasis, style));
    if (!finding.remedy.empty()) {
        text += wrapped(finding.remedy, std::string(kHealthWidth + width + 2, ' '));
    }
    return text;
}

std::string table(const std::vector<Finding>& findings, const TerminalStyle& style) {
    std::size_t width = 0;
    for (const auto& finding : findings) {
        width = std::max(width, display_width(finding.subject));
    }
    std::string text;
    for (const auto& finding : findings) {
        text += line_of(finding, width, style);
    }
    return text;
}

std::string json(const std::vector<Finding>& findings) {
    std::string text;
    for (const auto& finding : findings) {
        text += text.empty() ? "\n" : ",\n";
        text += fmt::format(R"(    {{"health": {}, "subject": {}, "found": {}, "remedy": {}}})",
                            json_string(to_string(finding.health)), json_string(finding.subject),
                            json_string(finding.found), json_string(finding.remedy));
    }
    return "{\n  \"schema_version\": 1,\n  \"findings\": [" + text + "\n  ]\n}\n";
}

std::string csv(const std::vector<Finding>& findings) {
    std::string text = "health,subject,found,remedy\n";
    for (const auto& finding : findings) {
        text += fmt::format("{},{},{},{}\n", to_string(finding.health), csv_field(finding.subject),
                            csv_field(finding.found), csv_field(finding.remedy));
    }
    return text;
}

}  // namespace

std::string doctor_report(const std::vector<Finding>& findings, OutputFormat format,
                          const TerminalStyle& style) {
    switch (format) {
        case OutputFormat::json: return json(findings);
        case OutputFormat::csv: return csv(findings);
        case OutputFormat::table: break;
    }
    return table(findings, style);
}

}  // namespace overcast
