#include "cli/compare_page.hpp"

#include "cli/report_page.hpp"
#include "report/comparison_digest.hpp"
#include "report/html/comparison_section.hpp"
#include "report/html/html_page.hpp"
#include "report/html/timeline_section.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

void add_rows(const ComparedSide& side, const ComparedRun& run, std::vector<ProvenanceRow>& rows) {
    for (const auto& row : run.provenance) {
        rows.push_back({fmt::format("{}: {}", side.label, row.label), row.value});
    }
    if (run.provenance.empty()) {
        rows.push_back({side.label, side.title});
    }
}

}  // namespace

std::string compare_page(const Comparison& comparison, const ComparedRun& left,
                         const ComparedRun& right, std::size_t rows,
                         const std::vector<std::string>& arguments) {
    const TerminalStyle style{.unicode = true};
    std::vector<ProvenanceRow> provenance;
    add_rows(comparison.left, left, provenance);
    add_rows(comparison.right, right, provenance);
    add_own_provenance(provenance, "compare", arguments);

    HtmlPage page;
    page.title = right.provenance.empty()
                     ? comparison.left.title
                     : fmt::format("{} and {}", comparison.left.title, comparison.right.title);
    page.headline = headline(comparison, style);
    page.detail = fmt::format("Matched: {}.", matched_in_words(comparison));
    page.sections.push_back(comparison_section(comparison, rows));
    page.sections.push_back(
        timeline_section({{"Both on one axis of time",
                           {{comparison.left.label, left.workload, left.timeline},
                            {comparison.right.label, right.workload, right.timeline}}}}));
    page.sections.push_back(warnings_section(comparison.warnings));
    page.sections.push_back(provenance_section(provenance));
    return html_page(page);
}

}  // namespace overcast
