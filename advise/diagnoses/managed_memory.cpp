#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <algorithm>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_managed_memory(const Case& seen) {
    const auto& warnings = seen.program.workload.warnings;
    if (std::ranges::find(warnings, "managed-memory", &Warning::code) == warnings.end()) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = "the program uses managed memory";
    finding.occurrences = 1;
    finding.change = "cudaMemPrefetchAsync(memory, bytes, location, 0, stream);";
    finding.verdict = Verdict::not_priced;
    finding.reason = "pages move when they are touched, which no copy in the trace shows";
    return finding;
}

}  // namespace

DiagnosisRow managed_memory() {
    return {"managed-memory", "Managed memory",
            "pages that move on demand: kernels wait for them, unseen by the trace",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"
            "#unified-memory-programming",
            find_managed_memory};
}

}  // namespace overcast
