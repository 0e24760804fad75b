#include "cli/advise_page.hpp"

#include "cli/report_page.hpp"
#include "report/advice_words.hpp"
#include "report/html/advice_section.hpp"
#include "report/html/html_page.hpp"
#include "report/html/plain_sections.hpp"
#include "report/html/timeline_section.hpp"
#include "report/human_units.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

TimelineView advised_beside_recorded(const Extraction& recorded, const PlayedAdvice& result) {
    const auto& chosen = result.advice.cheapest;
    return {"What is advised, predicted, beside the recording (its times hold what tracing costs)",
            {{fmt::format("predicted, all changes made: {}",
                          chosen ? schedule_in_words(*chosen) : "streams as recorded"),
              result.played.workload, result.played.timeline},
             {"measured: the recording", recorded.workload, recorded.measured}}};
}

}  // namespace

std::string advise_page(const Trace& trace, const Extraction& recorded, const PlayedAdvice& result,
                        const std::vector<std::string>& arguments) {
    const TerminalStyle style{.unicode = true};
    const auto& advice = result.advice;
    auto provenance = provenance_of(trace);
    provenance.push_back({"device", advice.device});
    provenance.push_back({"device model", advice.device_model});
    add_own_provenance(provenance, "advise", arguments);

    HtmlPage page;
    page.title = advice.trace;
    page.headline = headline(advice, style);
    page.detail = fmt::format("Recorded: {} in {} on {}.", counted(advice.operations, "operation"),
                              counted(advice.units, "unit"), counted(advice.streams, "stream"));
    page.sections.push_back(advice_section(advice));
    page.sections.push_back(timeline_section({advised_beside_recorded(recorded, result)}));
    page.sections.push_back(warnings_section(advice.warnings));
    page.sections.push_back(provenance_section(provenance));
    return html_page(page);
}

}  // namespace overcast
