#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

bool is_pageable(const Operation& operation) {
    const auto* copy = std::get_if<Copy>(&operation.action);
    return copy != nullptr && copy->kind != CopyKind::host_to_host && touches_pageable(*copy);
}

std::optional<DiagnosisFinding> find_pageable_memory(const Case& seen) {
    const auto& workload = seen.program.workload;
    auto copies = operations_where(workload, is_pageable);
    if (copies.empty()) {
        return std::nullopt;
    }
    std::uint64_t bytes = 0;
    Duration held{};
    for (const auto i : copies) {
        const auto& call = seen.program.measured.entries[i];
        bytes += std::get<Copy>(workload.operations[i].action).bytes.count();
        held += call.call_end - call.call_start;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} of {} use pageable memory, through a buffer of the driver: the host was "
        "held for {}, and nothing else was issued meanwhile",
        number_in_words(copies.size(), "copy", "copies"), bytes_in_words(bytes),
        time_in_words(held));
    finding.operations = std::move(copies);
    finding.change =
        "cudaMallocHost(&host, bytes);              // in place of malloc\n"
        "cudaHostRegister(host, bytes, 0);          // memory that is not yours";
    finding.remove = [](Scenario& scenario) { pin_memory(scenario.workload); };
    return finding;
}

}  // namespace

DiagnosisRow pageable_memory() {
    return {"pageable-memory", "Pageable host memory",
            "copies from or to memory that is not pinned: slower, and they hold the host",
            "https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html",
            find_pageable_memory};
}

}  // namespace overcast
