#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/memory_needs.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

constexpr std::uint32_t kMostStreams = 16;

std::optional<DiagnosisFinding> find_device_memory(const Case& seen) {
    const auto& workload = seen.program.workload;
    const auto& available = workload.device.memory;
    if (!available || !workload.device_bytes || workload.units < 2) {
        return std::nullopt;
    }
    const auto needed = [&](std::uint32_t streams) {
        Configuration configuration;
        configuration.streams = streams;
        return workload.device_bytes->count() +
               shared_buffers(workload, configuration).device_bytes.count() * (streams - 1);
    };
    std::uint32_t fit = 1;
    while (fit < kMostStreams && needed(fit + 1) <= available->count()) {
        ++fit;
    }
    if (fit == kMostStreams) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} streams with buffers of their own need {} of device memory, "
        "and the GPU has {}: {} fit",
        fit + 1, bytes_in_words(needed(fit + 1)), bytes_in_words(available->count()), fit);
    finding.occurrences = 1;
    finding.change = "// smaller units, so that each stream needs less memory";
    finding.verdict = Verdict::not_priced;
    finding.reason = "the schedule below stays within the memory";
    return finding;
}

}  // namespace

DiagnosisRow device_memory() {
    return {"device-memory", "Memory limits the number of streams",
            "private buffers for every stream would not fit the GPU",
            "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__MEMORY.html",
            find_device_memory};
}

}  // namespace overcast
