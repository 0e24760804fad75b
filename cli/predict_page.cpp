#include "cli/predict_page.hpp"

#include "cli/report_page.hpp"
#include "report/html/html_page.hpp"
#include "report/html/plain_sections.hpp"
#include "report/html/streams_section.hpp"
#include "report/html/timeline_section.hpp"
#include "report/human_units.hpp"
#include "report/prediction_words.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

TimelineView best_beside_recorded(const Extraction& recorded, const Forecast& forecast) {
    const auto scheme =
        configuration_in_words(forecast.sweep.predictions[*forecast.sweep.best].configuration);
    return {
        "The best configuration, predicted, beside the recording (its times hold what "
        "tracing costs)",
        {{fmt::format("predicted: {}", scheme), forecast.best.workload, forecast.best.timeline},
         {"measured: the recording", recorded.workload, recorded.measured}}};
}

}  // namespace

std::string predict_page(const Trace& trace, const Extraction& recorded, const Forecast& forecast,
                         const std::vector<std::string>& arguments) {
    const TerminalStyle style{.unicode = true};
    const auto& sweep = forecast.sweep;
    auto provenance = provenance_of(trace);
    provenance.push_back({"device", sweep.device});
    provenance.push_back({"device model", sweep.device_model});
    add_own_provenance(provenance, "predict", arguments);

    HtmlPage page;
    page.title = sweep.trace;
    page.sections.push_back(streams_section(sweep));
    if (sweep.best) {
        page.headline = choice_in_words(sweep, style);
        page.detail = reason_in_words(sweep);
        page.sections.push_back(timeline_section({best_beside_recorded(recorded, forecast)}));
    }
    page.sections.push_back(warnings_section(all_warnings(sweep)));
    page.sections.push_back(provenance_section(provenance));
    return html_page(page);
}

}  // namespace overcast
