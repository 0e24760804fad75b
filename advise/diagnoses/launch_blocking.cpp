#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_launch_blocking(const Case& seen) {
    const auto& environment = seen.program.trace.environment;
    const auto set = environment.find("CUDA_LAUNCH_BLOCKING");
    if (set == environment.end() || set->second.empty() || set->second == "0") {
        return std::nullopt;
    }
    const auto launches = operations_where(seen.program.workload, [](const Operation& operation) {
        return enqueues_work(operation.action);
    });
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "CUDA_LAUNCH_BLOCKING was {}: the host waits after each of {} (other predictions leave "
        "that out)",
        set->second, number_in_words(launches.size(), "operation"));
    finding.occurrences = launches.size();
    finding.change = "unset CUDA_LAUNCH_BLOCKING";
    finding.put_back = [](Scenario& scenario) { wait_after_each_launch(scenario.workload); };
    return finding;
}

}  // namespace

DiagnosisRow launch_blocking() {
    return {"launch-blocking", "CUDA_LAUNCH_BLOCKING is set",
            "every launch waits for its end: nothing overlaps, whatever the streams",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#env-vars",
            find_launch_blocking};
}

}  // namespace overcast
