#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "model/kernel_model.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::optional<Finding> find(const Case& seen) {
    constexpr std::uint32_t kStreams = 4;
    const auto& program = seen.program;
    const auto& workload = program.workload;
    Duration all{};
    Duration full{};
    std::vector<std::uint32_t> launches;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        const auto* launch = std::get_if<KernelLaunch>(&workload.operations[i].action);
        if (launch == nullptr || !launch->measured) {
            continue;
        }
        const auto demand =
            kernel_demand(workload.kernels[index(launch->kernel)].shape, program.model);
        all += launch->measured->duration;
        if (demand.blocks >=
            std::uint64_t{demand.blocks_per_sm} * multiprocessors(program.model.device)) {
            full += launch->measured->duration;
            launches.push_back(i);
        }
    }
    // Kernels that hardly matter are no obstacle.
    if (workload.units < 2 || 2 * full < all || 4 * full < program.played.wall) {
        return std::nullopt;
    }
    auto alone = kernels_only(program);
    deal_over(alone, 1, IssueOrder::depth);
    const auto one = play(alone).timeline.device;
    deal_over(alone, kStreams, IssueOrder::depth);
    const auto several = play(alone).timeline.device;
    Finding finding;
    finding.evidence = fmt::format(
        "{} fill every SM ({} of {} of kernel time): a kernel of another stream gets only the "
        "tail",
        number_in_words(launches.size(), "launch", "launches"), time_in_words(full),
        time_in_words(all));
    finding.operations = std::move(launches);
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
            find};
}

}  // namespace overcast
