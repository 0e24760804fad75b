#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_carve_out(const Case& seen) {
    const auto& workload = seen.program.workload;
    std::set<std::uint64_t> carve_outs;
    std::vector<std::uint32_t> launches;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        if (const auto* launch = std::get_if<KernelLaunch>(&workload.operations[i].action)) {
            carve_outs.insert(
                workload.kernels[index(launch->kernel)].shape.executed_shared_memory.count());
            launches.push_back(i);
        }
    }
    carve_outs.erase(0);
    if (carve_outs.size() < 2) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "kernels run with carve-outs of {} to {} of shared memory: one that needs more than an SM "
        "has set waits until the SM is empty",
        bytes_in_words(*carve_outs.begin()), bytes_in_words(*carve_outs.rbegin()));
    finding.operations = std::move(launches);
    finding.occurrences = carve_outs.size();
    finding.change =
        "cudaFuncSetAttribute(kernel,   // the same carve-out for all kernels\n"
        "    cudaFuncAttributePreferredSharedMemoryCarveout, percent);";
    finding.remove = [](Scenario& scenario) {
        scenario.rules.switch_off(Rule::carve_out);
        scenario.same_machine = false;
    };
    return finding;
}

}  // namespace

DiagnosisRow carve_out() {
    return {"carve-out", "Kernels want different carve-outs",
            "shared-memory carve-outs that differ: kernels cannot share an SM",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#shared-memory-9-0",
            find_carve_out};
}

}  // namespace overcast
