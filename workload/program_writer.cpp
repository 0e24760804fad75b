#include "workload/program_writer.hpp"

#include "workload/changes.hpp"
#include "workload/granules.hpp"
#include "workload/repeated_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace overcast {
namespace {

/// Everything of `recorded` that does not depend on the order of its operations.
Workload without_operations(const Workload& recorded) {
    Workload result;
    result.device = recorded.device;
    result.names = recorded.names;
    result.kernels = recorded.kernels;
    result.buffers = recorded.buffers;
    result.granules = recorded.granules;
    result.units = recorded.units;
    result.call_costs = recorded.call_costs;
    result.setup = recorded.setup;
    result.device_bytes = recorded.device_bytes;
    result.round = recorded.round;
    result.max_connections = recorded.max_connections;
    result.warm = recorded.warm;
    result.warnings = recorded.warnings;
    return result;
}

}  // namespace

ProgramWriter::ProgramWriter(const Workload& recorded, const Configuration& configuration,
                             std::vector<Stream> streams, std::vector<std::uint32_t> stream_offsets,
                             std::uint32_t copies)
    : recorded_{recorded},
      configuration_{configuration},
      result_{without_operations(recorded)},
      splitter_{result_, configuration.parts, configuration.split_kernels},
      stream_offsets_{std::move(stream_offsets)},
      events_(std::size_t{recorded.events} * copies) {
    if (copies > 1) {
        when_repeated_ = costs_when_repeated(recorded);
    }
    result_.streams = std::move(streams);
    result_.operations.reserve(recorded.operations.size() * copies + result_.streams.size());
    used_.resize(result_.streams.size(), false);
}

void ProgramWriter::keep_threads() {
    keep_threads_ = true;
    result_.threads = recorded_.threads;
}

void ProgramWriter::write(const std::vector<Strand>& strands, IssueOrder order, SyncPolicy sync) {
    std::vector<bool> leads(recorded_.operations.size());
    for (std::size_t i = 0; i < leads.size(); ++i) {
        const auto& action = recorded_.operations[i].action;
        leads[i] = enqueues_work(action) || (sync == SyncPolicy::keep && synchronises(action));
    }
    pending_.assign(strands.size(), Duration{});
    remaining_.clear();
    for (const auto& strand : strands) {
        remaining_.push_back(strand.operations.size());
    }
    for (const auto& step : issue_steps(strands, order, leads)) {
        write_step(step, strands[step.strand], sync);
    }
}

void ProgramWriter::write_step(const Step& step, const Strand& strand, SyncPolicy sync) {
    auto operation = recorded_.operations[step.operation];
    if (!keep_threads_ && !recorded_.merged_host_before.empty()) {
        operation.host_before = recorded_.merged_host_before[step.operation];
    }
    if (strand.part > 0) {
        operation.host_before = Duration{};  // the unit's own work on the host is done once
    }
    if (strand.part > 0 || strand.replica > 0) {
        operation.call_cost = when_repeated_[step.operation];
    }
    const auto host_before = operation.host_before;
    if (!keep_threads_) {
        operation.thread = ThreadIndex{0};
    }
    operation.stream = StreamIndex{strand.stream + stream_offsets_[index(operation.stream)]};
    if (operation.unit) {
        operation.unit = UnitIndex{strand.replica * recorded_.units + number(*operation.unit)};
    }
    auto& pending = pending_[step.strand];
    if (adapt(operation, strand, sync)) {
        operation.host_before += std::exchange(pending, Duration{});
        append(operation);
    } else {
        pending += host_before;
    }
    if (--remaining_[step.strand] == 0) {
        pending_for_all_ += std::exchange(pending, Duration{});
    }
}

void ProgramWriter::append(Operation operation) {
    operation.host_before += std::exchange(pending_for_all_, Duration{});
    if (enqueues_work(operation.action)) {
        used_[index(operation.stream)] = true;
    }
    result_.operations.push_back(std::move(operation));
}

/// Fits a recorded operation to its new place; false where it has none.
bool ProgramWriter::adapt(Operation& operation, const Strand& strand, SyncPolicy sync) {
    if (sync == SyncPolicy::defer && !defer(operation)) {
        return false;
    }
    if (std::holds_alternative<HostCall>(operation.action)) {
        return strand.part == 0;
    }
    if (auto* record = std::get_if<EventRecord>(&operation.action)) {
        const EventIndex event{result_.events++};
        placed(record->event, strand) = PlacedEvent{event, operation.stream};
        record->event = event;
        return true;
    }
    if (std::holds_alternative<EventWait>(operation.action) ||
        std::holds_alternative<SynchroniseEvent>(operation.action)) {
        return adapt_wait(operation, strand);
    }
    return strand.parts == 1 || splitter_.cut(operation.action, strand.part);
}

std::optional<ProgramWriter::PlacedEvent>& ProgramWriter::placed(EventIndex recorded,
                                                                 const Strand& strand) {
    const std::size_t copy = strand.replica + strand.part;  // one of the two is 0
    return events_[copy * recorded_.events + index(recorded)];
}

bool ProgramWriter::adapt_wait(Operation& operation, const Strand& strand) {
    auto* wait = std::get_if<EventWait>(&operation.action);
    auto* host_wait = std::get_if<SynchroniseEvent>(&operation.action);
    auto& event = wait != nullptr ? wait->event : host_wait->event;
    const auto& own = placed(event, strand);
    // What was recorded before the units was recorded once, for all parts.
    const auto& place = own || strand.replica > 0 ? own : events_[index(event)];
    if (!place) {
        ++lost_edges_;  // the new order issues the recording later: a real wait would be over
        return false;
    }
    if (wait != nullptr && place->stream == operation.stream) {
        return false;  // stream order does the same
    }
    event = place->event;
    return true;
}

/// Takes the wait out of an operation; false where nothing else is in it.
bool ProgramWriter::defer(Operation& operation) {
    if (synchronises(operation.action)) {
        deferred_ = true;
        return false;
    }
    if (auto* copy = std::get_if<Copy>(&operation.action)) {
        if (!copy->asynchronous && needs_no_host(*copy)) {
            copy->asynchronous = true;
            deferred_ = true;
        }
    } else if (auto* memset = std::get_if<Memset>(&operation.action)) {
        deferred_ = deferred_ || !memset->asynchronous;
        memset->asynchronous = true;
    } else if (std::holds_alternative<ReleaseMemory>(operation.action)) {
        operation.action = HostCall{};
        deferred_ = true;
        released_ = true;
    }
    return true;
}

void ProgramWriter::join(std::span<const StreamIndex> from, std::span<const StreamIndex> to) {
    for (const auto source : from) {
        const EventIndex event{result_.events};
        const auto waits =
            std::count_if(to.begin(), to.end(), [&](auto target) { return target != source; });
        if (waits == 0) {
            continue;
        }
        ++result_.events;
        Operation record;
        record.call_cost = result_.call_costs.event_record;
        record.name = result_.names.intern("cudaEventRecord");
        record.stream = source;
        record.action = EventRecord{event};
        append(record);
        for (const auto target : to) {
            if (target == source) {
                continue;
            }
            Operation wait;
            wait.call_cost = result_.call_costs.event_wait;
            wait.name = result_.names.intern("cudaStreamWaitEvent");
            wait.stream = target;
            wait.action = EventWait{event};
            append(wait);
        }
    }
}

void ProgramWriter::synchronise(std::span<const StreamIndex> streams) {
    for (const auto stream : streams) {
        Operation wait;
        wait.call_cost = result_.call_costs.synchronise;
        wait.name = result_.names.intern("cudaStreamSynchronize");
        wait.stream = stream;
        wait.action = SynchroniseStream{};
        append(wait);
    }
}

std::vector<StreamIndex> ProgramWriter::used_streams() const {
    std::vector<StreamIndex> streams;
    for (std::uint32_t i = 0; i < used_.size(); ++i) {
        if (used_[i]) {
            streams.push_back(StreamIndex{i});
        }
    }
    return streams;
}

Workload ProgramWriter::finish() {
    if (deferred_) {
        synchronise(used_streams());
    }
    map_anew(result_);
    auto& warnings = result_.warnings;
    if (released_) {
        add_warning(warnings, {"implicit-sync",
                               "the recorded program frees memory between its operations, which "
                               "waits for the device; predicted as if that did not wait (free at "
                               "the end, or use cudaFreeAsync)"});
    }
    if (lost_edges_ > 0) {
        add_warning(warnings, {"event-order",
                               fmt::format("{} waits for an event come before its recording in the "
                                           "new issue order and are left out; check that the units "
                                           "do not depend on each other",
                                           lost_edges_)});
    }
    if (splitter_.too_small() > 0) {
        add_warning(
            warnings,
            {"grid-too-small",
             fmt::format("{} kernels have fewer blocks than there are parts ({}); each part "
                         "runs them whole, for their whole duration",
                         splitter_.too_small(), configuration_.parts)});
    }
    return std::move(result_);
}

}  // namespace overcast
