#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_issue_order(const Case& seen) {
    const auto& program = seen.program;
    if (program.streams.size() < 2 || program.workload.units < 2 ||
        issued_unit_by_unit(program.workload)) {
        return std::nullopt;
    }
    std::vector<std::uint32_t> held_up;
    for (std::uint32_t i = 0; i < program.played.entries.size(); ++i) {
        if (program.played.entries[i].waited_for == WaitReason::channel) {
            held_up.push_back(i);
        }
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} units on {} streams are issued operation by operation (breadth first), so that one "
        "that waits holds up others of its channel{}",
        program.workload.units, program.streams.size(),
        held_up.empty() ? "" : fmt::format(": {} of them", held_up.size()));
    finding.occurrences = std::max<std::size_t>(held_up.size(), 1);
    finding.operations = std::move(held_up);
    finding.change = "for (unit …) { h2d(unit); kernel(unit); d2h(unit); }   // unit by unit";
    finding.remove = [streams =
                          static_cast<std::uint32_t>(program.streams.size())](Scenario& scenario) {
        if (scenario.configuration.transform == Transform::as_recorded) {
            deal_over(scenario, streams, IssueOrder::depth);
        }
        scenario.configuration.order = IssueOrder::depth;
    };
    finding.leave_out = [as_recorded = unchanged(program).configuration](Scenario& scenario) {
        scenario.configuration = as_recorded;  // on as many streams as now
    };
    return finding;
}

}  // namespace

DiagnosisRow issue_order() {
    return {"issue-order", "The order of issue",
            "work issued breadth first: an operation that waits blocks those of other streams",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#overlapping-behavior",
            find_issue_order};
}

}  // namespace overcast
