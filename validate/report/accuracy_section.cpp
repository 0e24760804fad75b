#include "validate/report/accuracy_section.hpp"

#include "report/human_units.hpp"
#include "validate/report/accuracy_json.hpp"

#include <fmt/format.h>

namespace overcast {

HtmlSection accuracy_section(const AccuracyReport& report) {
    return {"accuracy", fmt::format(R"({{"report":{}}})", accuracy_json(report))};
}

std::string accuracy_in_words(const AccuracyReport& report) {
    const auto& errors = report.all.ours.errors;
    if (errors.count == 0) {
        return "No run on 2 or more streams was measured: there is nothing to judge.";
    }
    return fmt::format(
        "Over {} of {} on 2 or more streams, predictions are off by {:.2f} % on average (median "
        "{:.2f} %).",
        counted(errors.count, "run"), counted(report.cases.size(), "case"), errors.mape_percent,
        errors.median_percent);
}

std::string trust_in_words(const AccuracyReport& report) {
    auto text = fmt::format("Repeated measurements differ by {:.2f} % (median).",
                            report.all.noise.median_percent);
    if (const auto& intervals = report.all.intervals; intervals.count > 0) {
        text += fmt::format(" The 90 % interval holds {:.0f} % of the measured times.",
                            intervals.coverage_percent);
    }
    if (const auto& ours = report.all.ours; ours.decisions > 0) {
        text += fmt::format(" The best number of streams and order was found in {} of {}.",
                            ours.best_chosen, counted(ours.decisions, "sweep"));
    }
    return text;
}

}  // namespace overcast
