#include "report/advice_table.hpp"

#include "report/advice_words.hpp"
#include "report/human_units.hpp"
#include "report/prediction_words.hpp"
#include "report/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

constexpr std::size_t kMostLinks = 8;
constexpr std::size_t kMostShares = 8;
constexpr std::size_t kPathBar = 20;

std::string header(const Advice& advice, const TerminalStyle& style) {
    constexpr auto kRoom = kReportWidth - kLabelWidth;
    auto result = labelled("trace", printable(advice.trace), style);
    if (!advice.program.empty()) {
        result += labelled("program", shortened(printable(advice.program), kRoom), style);
    }
    result += labelled("device",
                       printable(advice.device.empty() ? "not recorded" : advice.device) +
                           ", device model " + printable(advice.device_model),
                       style);
    return result +
           labelled("recorded",
                    fmt::format("{} in {} on {}", counted(advice.operations, "operation"),
                                counted(advice.units, "unit"), counted(advice.streams, "stream")),
                    style);
}

std::string heading(std::string_view text, const TerminalStyle& style) {
    return '\n' + emphasised(text, Emphasis::strong, style) + '\n';
}

/// The ranking: one line for each cause that costs time.
std::string ranking(const std::vector<const Diagnosis*>& saving, const TerminalStyle& style) {
    std::vector<Column> columns{{"#", Align::right, false},
                                {"alone", Align::right, false},
                                {"last", Align::right, false},
                                {"what costs time", Align::left, true}};
    std::vector<Duration> times;
    for (const auto* diagnosis : saving) {
        times.push_back(diagnosis->alone.time);
        times.push_back(diagnosis->with_the_rest.time);
    }
    const auto texts = human_durations(times, style);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < saving.size(); ++i) {
        rows.push_back({std::to_string(i + 1), texts[2 * i], texts[2 * i + 1], saving[i]->title});
    }
    return heading("What to change, by the time it saves", style) +
           text_table(columns, rows, style) +
           wrapped(
               "alone: this is changed and nothing else; last: what it adds when all the "
               "others are made already.",
               "");
}

/// Lines of code behind a label, as they are.
std::string code(std::string_view label, const std::string& lines, const TerminalStyle& style) {
    std::string result;
    std::string_view rest = lines;
    bool first = true;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        const auto shown = first ? left_aligned(label, 6) : std::string(6, ' ');
        result += "   " + emphasised(shown, Emphasis::faint, style);
        result += rest.substr(0, end);
        result += '\n';
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        first = false;
    }
    return result;
}

std::string paragraph(std::string_view label, std::string_view text, const TerminalStyle& style) {
    const auto first = "   " + left_aligned(label, 6);
    auto lines = wrapped(text, first);
    return "   " + emphasised(left_aligned(label, 6), Emphasis::faint, style) +
           lines.substr(first.size());
}

std::string details(const Diagnosis& diagnosis, std::size_t rank, const TerminalStyle& style) {
    auto text = fmt::format("\n{}\n", emphasised(fmt::format("{}. {}", rank, diagnosis.title),
                                                 Emphasis::strong, style));
    text += paragraph("", saving_in_words(diagnosis, style), style);
    text += paragraph("seen", printable(diagnosis.evidence), style);
    if (const auto places = places_in_words(diagnosis, style); !places.empty()) {
        text += paragraph("where", places, style);
    }
    text += code("do", diagnosis.change, style);
    return text + paragraph("read", diagnosis.link, style);
}

std::string others(const std::vector<const Diagnosis*>& diagnoses, const TerminalStyle& style) {
    std::string text;
    for (const auto* diagnosis : diagnoses) {
        const auto* verdict =
            diagnosis->verdict == Verdict::nothing_to_gain ? "Nothing to gain" : "Not priced";
        text += wrapped(fmt::format("{}: {}. {}: {}.", diagnosis->title,
                                    printable(diagnosis->evidence), verdict, diagnosis->reason),
                        "* ");
    }
    return text.empty() ? text : heading("Seen too", style) + text;
}

std::vector<std::string> schedule_row(std::string_view name, const Schedule& schedule,
                                      const std::string& wall, const TerminalStyle& style) {
    std::string range = "-";
    if (schedule.interval) {
        range = human_ranges({{schedule.interval->low, schedule.interval->high}}, schedule.wall, 15,
                             style)
                    .front();
    }
    return {std::string{name},
            schedule_in_words(schedule),
            std::to_string(schedule.max_connections),
            wall,
            range,
            std::string{bound_label(schedule.bound_by)}};
}

std::string schedules(const Advice& advice, const TerminalStyle& style) {
    if (!advice.best || !advice.cheapest) {
        return {};
    }
    std::vector<std::pair<std::string_view, const Schedule*>> shown{
        {"best", &*advice.best}, {"simplest", &*advice.cheapest}};
    if (advice.cut) {
        shown.emplace_back("if cut", &*advice.cut);
    }
    std::vector<Duration> walls;
    for (const auto& [name, schedule] : shown) {
        walls.push_back(schedule->wall);
    }
    const auto texts = human_durations(walls, style);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        rows.push_back(schedule_row(shown[i].first, *shown[i].second, texts[i], style));
    }
    return heading(fmt::format("The schedule, with all changes made ({} played; simplest: "
                               "within 2 %)",
                               human_count(advice.schedules_played)),
                   style) +
           text_table({{"", Align::left, false},
                       {"schedule", Align::left, true},
                       {"conn.", Align::right, false},
                       {"wall time", Align::right, false},
                       {"90 % within", Align::right, false},
                       {"bound by", Align::left, false}},
                      rows, style);
}

std::string link_in_words(const PathLink& link) {
    auto text = link.count > 1 ? fmt::format("{} {} {}", human_count(link.count), "x", link.what)
                               : link.what;
    text += link.waited_for.empty() ? ", when the host had issued it"
                                    : fmt::format(", behind {} ({})", link.waited_for, link.reason);
    return printable(text);
}

std::string path(const Advice& advice, const TerminalStyle& style) {
    const auto& critical = advice.path;
    if (critical.shares.empty() || critical.wall <= Duration::zero()) {
        return {};
    }
    auto text = heading(
        fmt::format("Its critical path: {}, through {}", human_duration(critical.wall, style),
                    counted(critical.operations, "operation")),
        style);
    std::vector<std::vector<std::string>> rows;
    std::vector<Duration> times;
    for (std::size_t i = 0; i < std::min(critical.shares.size(), kMostShares); ++i) {
        times.push_back(critical.shares[i].time);
    }
    const auto texts = human_durations(times, style);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double share =
            static_cast<double>(times[i].count()) / static_cast<double>(critical.wall.count());
        rows.push_back({texts[i], fmt::format("{:.0f} %", 100 * share),
                        human_count(critical.shares[i].count), printable(critical.shares[i].what),
                        bar(share, kPathBar, style)});
    }
    text += text_table({{"time", Align::right, false},
                        {"share", Align::right, false},
                        {"times", Align::right, false},
                        {"what", Align::left, true},
                        {"", Align::left, false}},
                       rows, style);
    std::string links;
    for (std::size_t i = 0; i < std::min(critical.links.size(), kMostLinks); ++i) {
        links += wrapped(link_in_words(critical.links[i]), i == 0 ? "starts " : "then   ");
    }
    if (critical.links.size() > kMostLinks) {
        links += fmt::format("then   {} more steps (--format json has them)\n",
                             human_count(critical.links.size() - kMostLinks));
    }
    return text + '\n' + links;
}

}  // namespace

std::string advice_table(const Advice& advice, const TerminalStyle& style) {
    std::vector<const Diagnosis*> saving;
    std::vector<const Diagnosis*> rest;
    for (const auto& diagnosis : advice.diagnoses) {
        (diagnosis.verdict == Verdict::saves ? saving : rest).push_back(&diagnosis);
    }
    auto text = header(advice, style) + '\n' +
                emphasised(wrapped(headline(advice, style), ""), Emphasis::good, style);
    if (!saving.empty()) {
        text += ranking(saving, style);
        for (std::size_t i = 0; i < saving.size(); ++i) {
            text += details(*saving[i], i + 1, style);
        }
    }
    text += others(rest, style) + schedules(advice, style) + path(advice, style);
    const auto warnings = warning_paragraphs(advice.warnings, style);
    return warnings.empty() ? text : text + '\n' + warnings;
}

std::string diagnosis_list(const std::vector<DiagnosisSummary>& summaries,
                           const TerminalStyle& style) {
    std::string text;
    for (const auto& row : summaries) {
        constexpr std::size_t kWidth = 23;
        const auto first = left_aligned(row.id, kWidth);
        const auto lines = wrapped(row.summary, first);
        text += emphasised(row.id, Emphasis::strong, style) +
                std::string(kWidth - std::min(kWidth, row.id.size()), ' ') +
                lines.substr(first.size());
    }
    return text;
}

}  // namespace overcast
