#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

bool waits(const Operation& operation) {
    const auto* copy = std::get_if<Copy>(&operation.action);
    const auto* memset = std::get_if<Memset>(&operation.action);
    return (copy != nullptr && !copy->asynchronous && copy->kind != CopyKind::host_to_host) ||
           (memset != nullptr && !memset->asynchronous);
}

std::optional<DiagnosisFinding> find_synchronous_copies(const Case& seen) {
    auto calls = inner_operations_where(seen.program.workload, waits);
    if (calls.empty()) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} to cudaMemcpy, cudaMemset and the like return only when the device is "
        "done, so that the next work is issued to an idle stream",
        number_in_words(calls.size(), "call"));
    finding.operations = std::move(calls);
    finding.change = "cudaMemcpyAsync(to, from, bytes, kind, stream);   // pinned memory";
    finding.remove = [](Scenario& scenario) { make_copies_asynchronous(scenario.workload); };
    return finding;
}

}  // namespace

DiagnosisRow synchronous_copies() {
    return {"synchronous-copies", "Copies that wait",
            "cudaMemcpy and cudaMemset between other work: the host waits for each",
            "https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html",
            find_synchronous_copies};
}

}  // namespace overcast
