// Turns the calls of the region into operations.
#pragma once

#include "core/host_latencies.hpp"
#include "core/trace.hpp"
#include "core/tracing_cost.hpp"
#include "core/workload.hpp"
#include "workload/event_edges.hpp"
#include "workload/issued_calls.hpp"
#include "workload/trace_part.hpp"
#include "workload/workload_tables.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace overcast {

/// Where in the trace an operation comes from.
struct OperationOrigin {
    TraceTime call_start;
    TraceTime call_end;
    std::optional<std::uint32_t> activity;
};

/// What is known of a recording that is to be played as it was.
struct RecordedTimes {
    HostLatencies latencies;
    std::map<NameId, Duration> idle_waits;  ///< by name of the call, in the trace
};

/// With the time of the host before the first call of the region, where that is a part of it.
TraceTime begin_of(std::span<const IssuedCall> region, const TracePart& part);

class OperationBuilder {
public:
    /// `times` is null where calls get what their like usually take.
    OperationBuilder(const Trace& trace, const TracePart& part, const Joins& joins,
                     const TracingCost& cost, const RecordedTimes* times, Workload& workload);

    /// Appends the operations of `calls`, which start the region, to the workload.
    void build(std::span<const IssuedCall> calls);

    [[nodiscard]] const std::vector<OperationOrigin>& origins() const { return origins_; }
    /// Absent where that thread has no operation.
    [[nodiscard]] std::optional<ThreadIndex> thread_index(ThreadId thread) const {
        return tables_.known_thread(thread);
    }

private:
    void add(const IssuedCall& call);
    void merge_host_time();
    void add_work(const IssuedCall& call, std::span<const std::uint32_t> activities);
    void add_without_work(const IssuedCall& call);
    void append(const IssuedCall& call, Operation operation,
                std::optional<std::uint32_t> activity = std::nullopt);
    Operation start_operation(const IssuedCall& call, bool waits);
    void add_staging(const IssuedCall& call, const DeviceActivity& activity, Operation& operation);
    Action work_of(const DeviceActivity& activity, const IssuedCall& call);
    Action host_action(const IssuedCall& call, Operation& operation);
    Action synchronise_stream(const IssuedCall& call, Operation& operation);
    [[nodiscard]] const Synchronisation* synchronisation(const IssuedCall& call) const;
    [[nodiscard]] Duration recorded_cost(const IssuedCall& call, bool waits) const;
    void add_own_work(const IssuedCall& call, Operation& operation) const;

    const Trace& trace_;
    const TracePart& part_;
    const Joins& joins_;
    const TracingCost& cost_;
    const RecordedTimes* times_;
    Workload& workload_;
    WorkloadTables tables_;
    EventEdges events_;
    std::vector<OperationOrigin> origins_;
    std::vector<bool> thread_seen_;
    std::vector<bool> thread_called_;   ///< a call of the thread was recorded
    std::vector<Duration> after_call_;  ///< by thread: host time that belongs behind its last call
    std::map<StreamIndex, TraceTime> stream_ends_;  ///< end of the last activity of each stream
    TraceTime region_start_;
    bool launch_blocking_ = false;
    std::uint64_t calls_without_activity_ = 0;
    std::uint64_t activities_without_call_ = 0;
    std::uint64_t issued_before_ = 0;
    std::optional<NameId> nominal_name_;
    std::vector<Duration> beside_other_direction_;  ///< of each activity of the trace
    std::optional<std::pair<ContextId, StreamId>> only_stream_;
};

}  // namespace overcast
