#include "advise/diagnoses/all.hpp"
#include "advise/kernel_fill.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

/// The kernels alone: everything else that goes to a stream is gone.
Scenario kernels_only(const RecordedProgram& program) {
    auto scenario = unchanged(program);
    for (auto& operation : scenario.workload.operations) {
        if (!std::holds_alternative<KernelLaunch>(operation.action)) {
            remove_call(operation);
            operation.host_before = Duration{};
        }
    }
    return scenario;
}

std::optional<DiagnosisFinding> find_full_kernels(const Case& seen) {
    constexpr std::uint32_t kStreams = 4;
    const auto& program = seen.program;
    auto fill = kernel_fill(program);
    // Kernels that hardly matter are no obstacle.
    if (program.workload.units < 2 || !fill.dominates() || 4 * fill.time < program.played.wall) {
        return std::nullopt;
    }
    auto alone = kernels_only(program);
    deal_over(alone, 1, IssueOrder::depth);
    const auto one = play(alone).timeline.device;
    deal_over(alone, kStreams, IssueOrder::depth);
    const auto several = play(alone).timeline.device;
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} fill every SM ({} of {} of kernel time): a kernel of another stream gets only the "
        "tail",
        number_in_words(fill.launches.size(), "launch", "launches"), time_in_words(fill.time),
        time_in_words(fill.all));
    finding.operations = std::move(fill.launches);
    finding.change = "// streams hide copies behind such kernels, not kernels behind kernels";
    finding.verdict = Verdict::nothing_to_gain;
    finding.reason = fmt::format("the kernels alone take {} on one stream and {} on {}",
                                 time_in_words(one), time_in_words(several), kStreams);
    return finding;
}

}  // namespace

DiagnosisRow full_kernels() {
    return {"full-kernels", "Kernels fill the GPU",
            "grids of at least as many blocks as the GPU holds: kernels run one after the other",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#concurrent-kernel-execution",
            find_full_kernels};
}

}  // namespace overcast
