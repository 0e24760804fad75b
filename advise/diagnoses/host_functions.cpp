#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

bool is_host_function(const Operation& operation) {
    return std::holds_alternative<HostFunction>(operation.action);
}

std::optional<DiagnosisFinding> find_host_functions(const Case& seen) {
    auto calls = inner_operations_where(seen.program.workload, is_host_function);
    if (calls.empty()) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} run on a thread of the driver between operations of their stream, which "
        "waits for them (other streams do not)",
        number_in_words(calls.size(), "host function"));
    finding.operations = std::move(calls);
    finding.change =
        "cudaEventRecord(event, stream);\n"
        "cudaEventSynchronize(event); work();   // on a host thread of your own";
    finding.remove = [](Scenario& scenario) {
        remove_inner_calls(scenario.workload, is_host_function);
    };
    return finding;
}

}  // namespace

DiagnosisRow host_functions() {
    return {"host-functions", "Host functions in streams",
            "cudaLaunchHostFunc and callbacks: their stream waits for the driver's thread",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#host-functions-callbacks",
            find_host_functions};
}

}  // namespace overcast
