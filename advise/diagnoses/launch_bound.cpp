#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "forecast/critical_path.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

constexpr double kMuch = 0.2;        // share of the wall time
constexpr std::size_t kFewest = 16;  // a graph of less is not worth its capture

/// Time of the critical path that the host spends on issuing.
Duration waits_for_host(const RecordedProgram& program) {
    Duration host{};
    for (const auto& stretch : critical_path(program.workload, program.played)) {
        using Kind = PathStretch::Kind;
        const auto& action = program.workload.operations[stretch.operation].action;
        if (enqueues_work(action) &&
            (stretch.kind == Kind::call || stretch.kind == Kind::host_time)) {
            host += stretch.end - stretch.begin;
        }
    }
    return host;
}

std::optional<DiagnosisFinding> find_launch_bound(const Case& seen) {
    const auto& program = seen.program;
    auto work = operations_where(program.workload, [](const Operation& operation) {
        return enqueues_work(operation.action);
    });
    if (work.size() < kFewest) {
        return std::nullopt;
    }
    const auto wall = program.played.wall;
    Duration issuing{};
    for (const auto i : work) {
        issuing += program.workload.operations[i].call_cost;
    }
    if (static_cast<double>(issuing.count()) < kMuch * static_cast<double>(wall.count())) {
        return std::nullopt;
    }
    const auto waited = waits_for_host(program);
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "the host needs {} of {} to issue {} operations ({} each); for {} the device waits for it",
        time_in_words(issuing), time_in_words(wall), work.size(),
        time_in_words(issuing / static_cast<Duration::rep>(work.size())), time_in_words(waited));
    finding.operations = std::move(work);
    finding.change =
        "cudaStreamBeginCapture(stream, mode); …   // once\n"
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
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-graphs",
            find_launch_bound};
}

}  // namespace overcast
