// The host's side of a trace: the calls that matter, in the order in which they were made, with the
// thread's own time between them.
#pragma once

#include "core/operation.hpp"
#include "core/trace.hpp"
#include "core/tracing_cost.hpp"
#include "workload/correlation_index.hpp"
#include "workload/host_calls.hpp"
#include "workload/trace_part.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace overcast {

struct IssuedCall {
    TraceTime start;
    TraceTime end;
    CorrelationId correlation{};
    Duration host_before{};  ///< untraced, since the thread's previous call
    /// Time inside the call less what the recorder reported as its own, and what it waited for room
    /// in a full launch queue; with what the recorder took between it and the call before.
    Duration traced{};
    NameId name{};
    ThreadId thread{};
    CallMeaning meaning{};
    /// The launch queue was full, or code was loaded: the duration says nothing about the call.
    bool held_up = false;
    bool failed = false;
    /// Issued before the recording began: the device found it waiting.
    bool before_recording = false;
    /// The activity that this call stands for where the trace lacks the call itself.
    std::optional<std::uint32_t> nominal_for;
    /// Of a call for a small block of device memory. Set by find_blocks (granules.hpp).
    std::optional<BlockUse> memory = std::nullopt;
    /// Of a call that may wait for the device: when the last thing that it waits for had ended.
    /// Absent where it found nothing to wait for. Set by find_awaited (recorded_waits.hpp).
    std::optional<TraceTime> awaited = std::nullopt;
    /// Of a release or allocation of memory: its own work, traced, after its wait if it had one.
    /// Set by find_own_work (recorded_waits.hpp).
    Duration own_work{};
};

/// What one trace holds about each correlation id.
struct Joins {
    explicit Joins(const Trace& trace)
        : activities{trace.activities},
          synchronisations{trace.synchronisations},
          event_recordings{trace.event_recordings} {
        for (const auto& wait : trace.synchronisations) {
            if (wait.record_correlation && wait.record_stream) {
                recordings_by_wait.try_emplace(*wait.record_correlation, &wait);
            }
        }
    }

    [[nodiscard]] bool any(CorrelationId correlation) const {
        return !activities.find(correlation).empty() ||
               !synchronisations.find(correlation).empty() ||
               !event_recordings.find(correlation).empty();
    }

    CorrelationIndex activities;
    CorrelationIndex synchronisations;
    CorrelationIndex event_recordings;
    /// PyTorch traces do not list the recordings of events; the waits tell of them.
    std::unordered_map<CorrelationId, const Synchronisation*> recordings_by_wait;
};

/// What the call with this correlation id recorded; absent where it recorded no event.
std::optional<EventRecording> event_recording(const Trace& trace, const Joins& joins,
                                              CorrelationId correlation);

/// The outermost calls of the part, sorted by start. Calls without meaning for the device are left
/// out and count as host time; a loop of polls is one wait. Activities whose call was not recorded
/// get a nominal call that costs no host time of its own.
std::vector<IssuedCall> issued_calls(const Trace& trace, const TracePart& part, const Joins& joins,
                                     const TracingCost& cost);

}  // namespace overcast
