#include "cli/validate_page.hpp"

#include "cli/report_page.hpp"
#include "report/html/html_page.hpp"
#include "report/html/plain_sections.hpp"
#include "report/html/timeline_section.hpp"
#include "report/human_units.hpp"
#include "validate/report/accuracy_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

namespace overcast {
namespace {

std::string joined(const std::set<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, ", "));
}

HtmlSection timelines_of(const ComparedTimelines& timelines) {
    std::vector<TimelineView> views;
    for (const auto& pair : timelines.pairs()) {
        views.push_back({pair.title,
                         {{"predicted", pair.predicted.workload, pair.predicted.timeline},
                          {"measured", pair.actual.workload, pair.actual.measured}}});
    }
    std::string note =
        "Predicted and measured times of the same runs. The measured ones were recorded in a run "
        "of their own; both hold what tracing costs.";
    if (views.empty() && timelines.left_out() == 0) {
        note = "No timeline was recorded for these cases.";
    } else if (timelines.left_out() > 0) {
        note += fmt::format(
            " {} more would be too many for one page: --case NAME shows those of one case.",
            counted(timelines.left_out(), "timeline"));
    }
    return timeline_section(views, note);
}

std::vector<ProvenanceRow> provenance_of(const AccuracyReport& report) {
    std::set<std::string> names;
    std::set<std::string> devices;
    std::set<std::string> models;
    std::set<std::string> drivers;
    for (const auto& one : report.cases) {
        names.insert(one.case_name);
        devices.insert(one.device);
        models.insert(one.device_model);
        drivers.insert(one.driver);
    }
    return {{"cases", joined(names)},
            {"device", joined(devices)},
            {"driver", joined(drivers)},
            {"device model", joined(models)}};
}

Warnings warnings_of(const AccuracyReport& report) {
    Warnings result;
    for (const auto& one : report.cases) {
        for (const auto& warning : one.warnings) {
            add_warning(result, {warning.code, fmt::format("{}: {}", one.case_name, warning.text)});
        }
    }
    return result;
}

}  // namespace

CaseTimelineKeeper ComparedTimelines::keeper() {
    return [this](const std::string& folder, const RecordedRun& run, Extraction actual,
                  PlayedConfiguration predicted) {
        keep({fmt::format("{}: {}, {} order, {}", folder, configuration_words(run),
                          to_string(run.order), counted(run.streams, "stream")),
              std::move(actual), std::move(predicted)});
    };
}

void ComparedTimelines::keep(Pair pair) {
    const auto more = pair.actual.measured.entries.size() + pair.predicted.timeline.entries.size();
    // The first is shown however long it is: a page can sum up one pair.
    if (!pairs_.empty() && operations_ + more > 2 * kMostOperationsOnPage) {
        ++left_out_;
        return;
    }
    operations_ += more;
    pairs_.push_back(std::move(pair));
}

std::string validate_page(const AccuracyReport& report, const ComparedTimelines& timelines,
                          const std::vector<std::string>& arguments) {
    auto provenance = provenance_of(report);
    add_own_provenance(provenance, "validate", arguments);
    HtmlPage page;
    page.title = "predictions beside measurements";
    page.headline = accuracy_in_words(report);
    page.detail = trust_in_words(report);
    page.sections = {accuracy_section(report), timelines_of(timelines),
                     warnings_section(warnings_of(report)), provenance_section(provenance)};
    return html_page(page);
}

}  // namespace overcast
