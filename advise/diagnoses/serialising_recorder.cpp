#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

/// How long kernels of different streams ran side by side.
Duration side_by_side(const Workload& workload, const Timeline& timeline) {
    std::vector<std::uint32_t> kernels = operations_where(workload, [](const Operation& operation) {
        return std::holds_alternative<KernelLaunch>(operation.action);
    });
    std::erase_if(kernels, [&](auto i) { return !timeline.entries[i].on_device; });
    std::ranges::sort(kernels, {}, [&](auto i) { return timeline.entries[i].device_start; });
    Duration total{};
    TimelineTime covered{};
    StreamIndex by{};
    for (const auto i : kernels) {
        const auto& entry = timeline.entries[i];
        const auto stream = workload.operations[i].stream;
        if (entry.device_start < covered && stream != by) {
            total += std::min(covered, entry.device_end) - entry.device_start;
        }
        if (entry.device_end > covered) {
            covered = entry.device_end;
            by = stream;
        }
    }
    return total;
}

std::optional<DiagnosisFinding> find_serialising_recorder(const Case& seen) {
    constexpr int kShare = 20;  // a twentieth of the wall time
    const auto& program = seen.program;
    if (program.streams.size() < 2) {
        return std::nullopt;
    }
    const auto measured = side_by_side(program.workload, program.measured);
    const auto played = side_by_side(program.workload, program.played);
    if (kShare * played < program.played.wall || 10 * measured > played) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "in the recording kernels of different streams run side by side for {}, where the rules "
        "of the GPU give {}",
        time_in_words(measured), time_in_words(played));
    finding.occurrences = 1;
    finding.change = "overcast trace -- ./program   # or nsys, but not ncu";
    finding.verdict = Verdict::not_priced;
    finding.reason = "the recorder may have run them one by one; predictions are without it";
    return finding;
}

}  // namespace

DiagnosisRow serialising_recorder() {
    return {"serialising-recorder", "The recorder runs kernels one by one",
            "kernels of several streams that never overlap in the recording, though they could",
            "https://docs.nvidia.com/cupti/main/main.html#cupti-activity-api",
            find_serialising_recorder};
}

}  // namespace overcast
