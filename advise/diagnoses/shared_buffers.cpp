#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/memory_needs.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::optional<DiagnosisFinding> find_shared_buffers(const Case& seen) {
    const auto& program = seen.program;
    if (program.workload.units < 2 || program.streams.size() != 1) {
        return std::nullopt;
    }
    Configuration two;
    two.streams = 2;
    const auto shared = shared_buffers(program.workload, two);
    if (shared.buffers == 0) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "units write the same {} ({} on the device, {} on the host): on several streams they "
        "would spoil each other's data, or have to wait",
        number_in_words(shared.buffers, "buffer"), bytes_in_words(shared.device_bytes.count()),
        bytes_in_words(shared.host_bytes.count()));
    finding.occurrences = shared.buffers;
    finding.change =
        "cudaMalloc(&device[s], bytes);   // for each stream s\n"
        "cudaMallocHost(&host[s], bytes);";
    finding.remove = [](Scenario&) {};  // no cost of its own: what is lost is the overlap
    finding.leave_out = [](Scenario& scenario) {
        if (scenario.configuration.transform == Transform::distribute) {
            scenario.configuration.streams = 1;
        }
    };
    return finding;
}

}  // namespace

DiagnosisRow shared_buffers_of_units() {
    return {"shared-buffers", "Units share their buffers",
            "each stream needs memory of its own before units can overlap",
            "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/"
            "#asynchronous-and-overlapping-transfers-with-computation",
            find_shared_buffers};
}

}  // namespace overcast
