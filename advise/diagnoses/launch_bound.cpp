#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "forecast/critical_path.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

constexpr double kMuch = 0.3;        // share of the wall time
constexpr std::size_t kFewest = 16;  // a graph of less is not worth its capture

std::optional<Finding> find(const Case& seen) {
    const auto& program = seen.program;
    auto work = operations_where(program.workload, [](const Operation& operation) {
        return enqueues_work(operation.action);
    });
    if (work.size() < kFewest) {
        return std::nullopt;
    }
    Duration host{};
    for (const auto& stretch : critical_path(program.workload, program.played)) {
        using Kind = PathStretch::Kind;
        const bool issuing = stretch.kind == Kind::call || stretch.kind == Kind::host_time;
        const auto& action = program.workload.operations[stretch.operation].action;
        if (issuing && enqueues_work(action)) {
            host += stretch.end - stretch.begin;
        }
    }
    const auto wall = program.played.wall;
    if (static_cast<double>(host.count()) < kMuch * static_cast<double>(wall.count())) {
        return std::nullopt;
    }
    Finding finding;
    finding.evidence = fmt::format(
        "for {} of {} the device waits for the host to issue its next call: {} calls, {} each",
        time_in_words(host), time_in_words(wall), work.size(),
        time_in_words(host / static_cast<Duration::rep>(work.size())));
    finding.operations = std::move(work);
    finding.change =
        "cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); …   // once\n"
        "cudaGraphLaunch(graph, stream);   // in place of the calls";
    finding.remove = [](Scenario& scenario) {
        issue_as_graphs(scenario.workload, scenario.model);
        scenario.same_machine = false;
    };
    return finding;
}

}  // namespace

DiagnosisRow launch_bound() {
    return {"launch-bound", "The host is the limit",
            "the device waits for launches: a CUDA graph issues them at once",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-graphs", find};
}

}  // namespace overcast
