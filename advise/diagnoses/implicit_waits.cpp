#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_implicit_waits(const Case& seen) {
    const auto& program = seen.program;
    auto calls = inner_operations_where(program.workload, [](const Operation& operation) {
        return std::holds_alternative<ReleaseMemory>(operation.action);
    });
    if (calls.empty()) {
        return std::nullopt;
    }
    Duration waited{};
    for (const auto i : calls) {
        waited += program.played.entries[i].call_end - program.played.entries[i].call_start;
    }
    DiagnosisFinding finding;
    finding.evidence =
        fmt::format("{} to {} between other work: each waits until every stream is idle, {} in all",
                    number_in_words(calls.size(), "call"),
                    operation_in_words(program.workload, calls.front()), time_in_words(waited));
    finding.operations = std::move(calls);
    finding.change = "cudaFreeAsync(memory, stream);   // or cudaFree behind the loop";
    finding.remove = [](Scenario& scenario) { release_without_waiting(scenario.workload); };
    return finding;
}

}  // namespace

DiagnosisRow implicit_waits() {
    return {"implicit-waits", "Memory is freed between operations",
            "cudaFree, cudaFreeHost: calls that wait for the device without saying so",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#implicit-synchronization",
            find_implicit_waits};
}

}  // namespace overcast
