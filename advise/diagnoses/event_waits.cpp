#include "advise/diagnoses/all.hpp"
#include "advise/words.hpp"
#include "workload/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace overcast {
namespace {

/// Waits for events that held their stream up, and for how long: from where the stream had come to
/// that point to where the event was reached.
struct HeldUp {
    std::vector<std::uint32_t> waits;
    Duration time{};
};

HeldUp held_up(const RecordedProgram& program) {
    HeldUp result;
    std::map<StreamIndex, TimelineTime> stream_ends;
    for (std::uint32_t i = 0; i < program.workload.operations.size(); ++i) {
        const auto& operation = program.workload.operations[i];
        const auto& entry = program.played.entries[i];
        const bool wait = std::holds_alternative<EventWait>(operation.action);
        if (!wait && !entry.on_device) {
            continue;
        }
        auto& reached = stream_ends[operation.stream];
        const auto free_from = std::max(reached, entry.call_end);
        if (wait && entry.device_end > free_from + std::chrono::microseconds{2}) {
            result.waits.push_back(i);
            result.time += entry.device_end - free_from;
        }
        reached = std::max(reached, entry.device_end);
    }
    return result;
}

std::optional<DiagnosisFinding> find_event_waits(const Case& seen) {
    auto [waits, time] = held_up(seen.program);
    if (waits.empty()) {
        return std::nullopt;
    }
    DiagnosisFinding finding;
    finding.evidence =
        fmt::format("{} for an event of another stream hold their stream up, for {} in all",
                    number_in_words(waits.size(), "wait"), time_in_words(time));
    finding.operations = std::move(waits);
    finding.change =
        "// Is the result of the other stream needed here? If not, leave out\n"
        "cudaStreamWaitEvent(stream, event);";
    finding.may_be_needed = true;
    finding.remove = [](Scenario& scenario) {
        for (auto& operation : scenario.workload.operations) {
            if (std::holds_alternative<EventWait>(operation.action)) {
                remove_call(operation);
            }
        }
    };
    return finding;
}

}  // namespace

DiagnosisRow event_waits() {
    return {"event-waits", "Streams wait for each other",
            "cudaStreamWaitEvent that holds a stream up: perhaps a dependency that is not needed",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#events", find_event_waits};
}

}  // namespace overcast
