#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <map>

namespace overcast {
namespace {

bool is_device_wait(const Operation& operation) {
    return std::holds_alternative<SynchroniseDevice>(operation.action);
}

/// A wait for everything becomes a wait for the stream that its thread used last.
void wait_for_one_stream(Scenario& scenario) {
    auto& operations = scenario.workload.operations;
    std::map<ThreadIndex, StreamIndex> used;
    const auto last = last_enqueuing(scenario.workload);
    for (std::size_t i = 0; i < last && i < operations.size(); ++i) {
        auto& operation = operations[i];
        if (enqueues_work(operation.action)) {
            used[operation.thread] = operation.stream;
        } else if (is_device_wait(operation) && used.contains(operation.thread)) {
            operation.stream = used[operation.thread];
            operation.action = SynchroniseStream{};
        }
    }
}

std::optional<DiagnosisFinding> find_device_waits(const Case& seen) {
    auto waits = inner_operations_where(seen.program.workload, is_device_wait);
    if (waits.empty() || seen.program.streams.size() < 2) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} of cudaDeviceSynchronize while {} streams are in use: each "
        "waits for all of them",
        number_in_words(waits.size(), "call"), seen.program.streams.size());
    finding.operations = std::move(waits);
    finding.change = "cudaStreamSynchronize(stream);   // the one whose result is needed";
    finding.remove = wait_for_one_stream;
    return finding;
}

}  // namespace

DiagnosisRow device_waits() {
    return {"device-waits", "Waits for the whole device",
            "cudaDeviceSynchronize between work of several streams, where one would do",
            "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__DEVICE.html",
            find_device_waits};
}

}  // namespace overcast
