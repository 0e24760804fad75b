#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

#include <set>

namespace overcast {
namespace {

/// Streams that the program made, as far as the recording tells.
std::size_t streams_made(const RecordedProgram& program) {
    std::set<StreamId> made;
    for (const auto& stream : program.trace.streams) {
        if (stream.flag != StreamFlag::legacy_default) {
            made.insert(stream.stream);
        }
    }
    return made.size();
}

std::optional<DiagnosisFinding> find_one_stream(const Case& seen) {
    const auto& program = seen.program;
    if (program.streams.size() != 1 || program.workload.units < 2) {
        return std::nullopt;
    }
    const auto made = streams_made(program);
    const auto work = operations_where(program.workload, [](const Operation& operation) {
        return enqueues_work(operation.action);
    });
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} in {} units are all on {}{}", number_in_words(work.size(), "operation"),
        program.workload.units, stream_in_words(program.workload, program.streams.front()),
        made > 1 ? fmt::format(", although the program has {} streams", made) : "");
    finding.occurrences = 1;
    finding.change =
        "cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);\n"
        "run(unit, streams[unit % N], buffers[unit % N]);";
    finding.remove = [chosen = &seen.chosen](Scenario& scenario) {
        if (const auto& choice = chosen->for_scenario(scenario)) {
            scenario.configuration = choice->configuration;
            if (choice->max_connections > 0) {
                scenario.workload.max_connections = choice->max_connections;
            }
        }
    };
    return finding;
}

}  // namespace

DiagnosisRow one_stream() {
    return {"one-stream", "All work is on one stream",
            "repeated units that never overlap because they share a stream",
            "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/"
            "#asynchronous-and-overlapping-transfers-with-computation",
            find_one_stream};
}

}  // namespace overcast
