#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

/// The most that a launch takes beyond its own cost where its channel has room.
Duration most_beyond(const RecordedProgram& program) {
    const auto& host = program.model.host;
    const auto& change = host.kernel_stream_change_ns;
    const auto streams = static_cast<double>(program.workload.streams.size());
    return host.kernel_call_beside_h2d +
           round_to_duration(change.empty() ? 0.0 : change.linear(streams));
}

/// Launches that had to wait for room in their channel, as played.
std::vector<std::uint32_t> blocked_launches(const RecordedProgram& program) {
    const auto beyond = most_beyond(program);
    std::vector<std::uint32_t> blocked;
    for (std::uint32_t i = 0; i < program.workload.operations.size(); ++i) {
        const auto& operation = program.workload.operations[i];
        const auto& entry = program.played.entries[i];
        if (std::holds_alternative<KernelLaunch>(operation.action) &&
            entry.call_end - entry.call_start > operation.call_cost + beyond) {
            blocked.push_back(i);
        }
    }
    return blocked;
}

std::optional<DiagnosisFinding> find_launch_queue(const Case& seen) {
    const auto& program = seen.program;
    auto blocked = blocked_launches(program);
    const auto reported = std::ranges::count_if(program.trace.overheads, [](const auto& overhead) {
        return overhead.kind == OverheadKind::command_buffer_full;
    });
    if (blocked.empty() && reported == 0) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence = fmt::format(
        "{} for room in the launch queue, which holds {} operations{}",
        blocked.size() == 1 ? "1 launch waits" : fmt::format("{} launches wait", blocked.size()),
        program.model.channels.queue_depth,
        reported > 0 ? fmt::format("; the recorder saw it full {} times", reported) : "");
    finding.occurrences =
        std::max<std::uint64_t>(blocked.size(), static_cast<std::uint64_t>(reported));
    finding.operations = std::move(blocked);
    finding.change =
        "// let a second host thread issue to the other streams, or launch\n"
        "cudaGraphLaunch(graph, stream);   // one entry for many kernels";
    finding.remove = [](Scenario& scenario) {
        scenario.rules.switch_off(Rule::launch_queue);
        scenario.same_machine = false;
    };
    return finding;
}

}  // namespace

DiagnosisRow launch_queue() {
    return {
        "launch-queue", "The launch queue is full",
        "so many launches ahead of the device that the next one holds the host",
        "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#asynchronous-concurrent-execution",
        find_launch_queue};
}

}  // namespace overcast
