#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

bool any_of_kind(const RecordedProgram& program, StreamKind kind) {
    return std::ranges::any_of(program.streams, [&](StreamIndex stream) {
        return program.workload.streams[index(stream)].kind == kind;
    });
}

std::optional<DiagnosisFinding> find_default_stream(const Case& seen) {
    const auto& program = seen.program;
    if (!any_of_kind(program, StreamKind::legacy_default) ||
        !any_of_kind(program, StreamKind::blocking)) {
        return std::nullopt;
    }
    auto in_default = operations_where(program.workload, [&](const Operation& operation) {
        return enqueues_work(operation.action) &&
               program.workload.streams[index(operation.stream)].kind == StreamKind::legacy_default;
    });
    const auto held_up = std::ranges::count_if(program.played.entries, [](const auto& entry) {
        return entry.waited_for == WaitReason::default_stream;
    });
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} in the legacy default stream beside work in blocking streams: each waits for all of "
        "them, and they for it; {} held up",
        number_in_words(in_default.size(), "operation"),
        held_up == 1 ? "1 operation is" : fmt::format("{} operations are", held_up));
    finding.operations = std::move(in_default);
    finding.change =
        "nvcc --default-stream per-thread …\n"
        "cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);";
    finding.remove = [](Scenario& scenario) { decouple_default_stream(scenario.workload); };
    return finding;
}

}  // namespace

DiagnosisRow default_stream() {
    return {"default-stream", "Work in the legacy default stream",
            "operations in stream 0 between those of blocking streams: both wait",
            "https://docs.nvidia.com/cuda/cuda-runtime-api/stream-sync-behavior.html",
            find_default_stream};
}

}  // namespace overcast
