#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_stream_count(const Case& seen) {
    const auto& program = seen.program;
    if (program.streams.size() < 2 || program.workload.units < 2) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format("{} streams are in use for {} units", program.streams.size(),
                                   program.workload.units);
    finding.occurrences = 1;
    finding.change = "constexpr int kStreams = N;   // N: see the schedule below";
    finding.remove = [chosen = &seen.chosen](Scenario& scenario) {
        if (const auto& choice = chosen->for_scenario(scenario)) {
            const auto order = scenario.configuration.order;
            scenario.configuration = choice->configuration;
            scenario.configuration.order = order;
        }
    };
    return finding;
}

}  // namespace

DiagnosisRow stream_count() {
    return {"stream-count", "The number of streams",
            "another number of streams would be faster: too few to fill the engines, or too many",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"
            "#asynchronous-concurrent-execution",
            find_stream_count};
}

}  // namespace overcast
