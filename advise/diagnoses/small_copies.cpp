#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "core/statistics.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

constexpr std::size_t kFewest = 16;       // fewer copies are not worth the trouble
constexpr std::uint32_t kGroupsLeft = 4;  // so that there is something to overlap

/// Up to here the fixed costs of a copy (its call, its latency, the turn-around) outweigh the
/// transfer.
Bytes latency_bound(const DeviceModel& model) {
    const auto fixed =
        std::max(model.h2d.latency + model.h2d.turnaround_same, model.tracing_cost.untraced.copy);
    return Bytes{static_cast<std::uint64_t>(static_cast<double>(fixed.count()) / 1e9 *
                                            model.h2d.bandwidth.bytes_per_s())};
}

std::optional<DiagnosisFinding> find_small_copies(const Case& seen) {
    const auto& program = seen.program;
    const auto& workload = program.workload;
    const auto limit = latency_bound(program.model);
    auto copies = operations_where(workload, [&](const Operation& operation) {
        const auto* copy = std::get_if<Copy>(&operation.action);
        return copy != nullptr && copy->bytes <= limit &&
               (copy->kind == CopyKind::host_to_device || copy->kind == CopyKind::device_to_host);
    });
    if (copies.size() < kFewest) {
        return std::nullopt;
    }
    std::vector<double> sizes;
    for (const auto i : copies) {
        sizes.push_back(
            static_cast<double>(std::get<Copy>(workload.operations[i].action).bytes.count()));
    }
    const auto median = std::max(median_of(sizes), 1.0);
    const auto wanted = static_cast<double>(4 * limit.count()) / median;
    const auto most = std::max<std::uint32_t>(workload.units / kGroupsLeft, 1);
    const auto group =
        std::clamp<std::uint32_t>(static_cast<std::uint32_t>(std::min(wanted, 1e6)), 1, most);
    const bool by_units = program.streams.size() == 1 && group >= 2;
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} of {} (median) or so: up to {} a copy's fixed cost outweighs its transfer",
        number_in_words(copies.size(), "copy", "copies"),
        bytes_in_words(static_cast<std::uint64_t>(median)), bytes_in_words(limit.count()));
    finding.operations = std::move(copies);
    finding.change =
        by_units ? fmt::format(
                       "cudaMemcpyAsync(to, from, {0} * bytes, kind, stream);   // {0} units\n"
                       "cudaMemcpyBatchAsync(…);   // where they do not lie side by side",
                       group)
                 : "cudaMemcpyBatchAsync(…);   // neighbours of one direction in one call";
    finding.remove = [limit, group, by_units](Scenario& scenario) {
        merge_neighbouring_copies(scenario.workload, limit);
        if (by_units) {
            merge_units(scenario.workload, group, limit);
        }
    };
    return finding;
}

}  // namespace

DiagnosisRow small_copies() {
    return {"small-copies", "Many small copies",
            "copies whose fixed cost outweighs the transfer: several could be one",
            "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/"
            "#data-transfer-between-host-and-device",
            find_small_copies};
}

}  // namespace overcast
