// Waits of the host in the middle of the work: one in every unit, or here and there.

#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

constexpr std::string_view kLink = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#streams";

bool is_wait(const Operation& operation) { return synchronises(operation.action); }

/// Waits before the last work of the region.
std::vector<std::uint32_t> inner_waits(const RecordedProgram& program) {
    return inner_operations_where(program.workload, is_wait);
}

bool one_per_unit(const RecordedProgram& program, std::size_t waits) {
    return program.workload.units >= 2 && waits + 1 >= program.workload.units;
}

Duration waited(const RecordedProgram& program, const std::vector<std::uint32_t>& waits) {
    Duration total{};
    for (const auto i : waits) {
        total += program.played.entries[i].call_end - program.played.entries[i].call_start;
    }
    return total;
}

void remove_waits(Scenario& scenario) { remove_inner_calls(scenario.workload, is_wait); }

std::optional<DiagnosisFinding> find_unit_waits(const Case& seen) {
    const auto& program = seen.program;
    auto waits = inner_waits(program);
    if (!one_per_unit(program, waits.size())) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "the host waits {} times between {} units, {} in all: the next unit is issued "
        "only when the one before is done, on whatever stream",
        waits.size(), program.workload.units, time_in_words(waited(program, waits)));
    finding.operations = std::move(waits);
    finding.change =
        "cudaStreamSynchronize(stream);   // once, behind the loop, not in it\n"
        "cudaStreamWaitEvent(other, event);   // where another stream needs it";
    finding.remove = remove_waits;
    return finding;
}

std::optional<DiagnosisFinding> find_host_waits(const Case& seen) {
    const auto& program = seen.program;
    auto waits = inner_waits(program);
    if (waits.empty() || one_per_unit(program, waits.size())) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "the host waits {} in the middle of the work, {} in all, and "
        "issues nothing meanwhile",
        number_in_words(waits.size(), "time"), time_in_words(waited(program, waits)));
    finding.operations = std::move(waits);
    finding.change =
        "cudaEventRecord(event, producer);\n"
        "cudaStreamWaitEvent(consumer, event);   // not a wait of the host";
    finding.remove = remove_waits;
    return finding;
}

}  // namespace

DiagnosisRow unit_waits() {
    return {"unit-waits", "The host waits in every unit",
            "a synchronisation per repeated unit: units cannot overlap, on any streams", kLink,
            find_unit_waits};
}

DiagnosisRow host_waits() {
    return {"host-waits", "The host waits between operations",
            "synchronisation in the middle of the work, other than once per unit", kLink,
            find_host_waits};
}

}  // namespace overcast
