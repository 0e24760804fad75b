#include "workload/operation_builder.hpp"

#include "workload/call_cost.hpp"
#include "workload/link_sharing.hpp"
#include "workload/recorded_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace overcast {
namespace {

bool is_set(const Trace& trace, const char* variable) {
    const auto place = trace.environment.find(variable);
    return place != trace.environment.end() && !place->second.empty() && place->second != "0";
}

/// The reader of a format without calls says so in its own words.
bool is_known_to_lack_calls(const Trace& trace) {
    return std::any_of(trace.warnings.begin(), trace.warnings.end(),
                       [](const Warning& warning) { return warning.code == "missing-call"; });
}

bool touches_pageable(const TracedCopy& copy) {
    return copy.source == MemoryKind::pageable || copy.destination == MemoryKind::pageable;
}

/// The stream of all device work of the part, where there is only one.
std::optional<std::pair<ContextId, StreamId>> only_stream(const Trace& trace, DeviceId device) {
    std::optional<std::pair<ContextId, StreamId>> only;
    for (const auto& activity : trace.activities) {
        if (activity.device != device) {
            continue;
        }
        const std::pair stream{activity.context, activity.stream};
        if (only && *only != stream) {
            return std::nullopt;
        }
        only = stream;
    }
    return only;
}

/// Whether the call returned after the device had done the work, so that it may have waited for it.
bool returned_after(const IssuedCall& call, const DeviceActivity& activity) {
    return !call.nominal_for && call.end >= activity.end;
}

/// A copy from pageable memory whose call returned before it began.
bool was_buffered(const IssuedCall& call, const DeviceActivity& activity) {
    const auto* copy = std::get_if<TracedCopy>(&activity.what);
    return copy != nullptr && copy->kind == CopyKind::host_to_device &&
           copy->source == MemoryKind::pageable && !call.nominal_for && call.end <= activity.start;
}

}  // namespace

OperationBuilder::OperationBuilder(const Trace& trace, const TracePart& part, const Joins& joins,
                                   const TracingCost& cost, const RecordedTimes* times,
                                   Workload& workload)
    : trace_{trace},
      part_{part},
      joins_{joins},
      cost_{cost},
      times_{times},
      workload_{workload},
      tables_{trace, workload},
      launch_blocking_{is_set(trace, "CUDA_LAUNCH_BLOCKING")},
      beside_other_direction_{beside_other_direction(trace, part.device)},
      only_stream_{only_stream(trace, part.device)} {}

TraceTime begin_of(std::span<const IssuedCall> region, const TracePart& part) {
    const auto& first = region.front();
    return part.begins_on_host ? first.start - first.host_before : first.start;
}

void OperationBuilder::build(std::span<const IssuedCall> calls) {
    region_start_ = begin_of(calls, part_);
    workload_.operations.reserve(calls.size());
    origins_.reserve(calls.size());
    for (const auto& call : calls) {
        add(call);
    }
    workload_.events = events_.count();
    workload_.threads = static_cast<std::uint32_t>(std::max<std::size_t>(thread_seen_.size(), 1));
    if (workload_.threads > 1) {
        merge_host_time();
    }
    if (activities_without_call_ > 0 && !is_known_to_lack_calls(trace_)) {
        add_warning(workload_.warnings,
                    {"missing-call",
                     fmt::format("{} device activities have no API call in the trace; they are "
                                 "given calls of nominal cost",
                                 activities_without_call_)});
    }
    if (issued_before_ > 0) {
        add_warning(workload_.warnings,
                    {"issued-before",
                     fmt::format("{} device activities were issued before the recording began; "
                                 "they are played as waiting in their streams from its start",
                                 issued_before_)});
    }
    if (calls_without_activity_ > 0) {
        add_warning(workload_.warnings,
                    {"missing-activity",
                     fmt::format("{} calls that enqueue work have no device activity in the trace "
                                 "(dropped records, or a stream capture); they count as host time",
                                 calls_without_activity_)});
    }
}

/// A thread that waits for another one makes no calls; on one thread that wait would not exist.
void OperationBuilder::merge_host_time() {
    workload_.merged_host_before.reserve(origins_.size());
    auto latest_return = region_start_;
    for (const auto& origin : origins_) {
        workload_.merged_host_before.push_back(
            std::max(origin.call_start - latest_return, Duration{}));
        latest_return = std::max(latest_return, origin.call_end);
    }
}

void OperationBuilder::add(const IssuedCall& call) {
    if (call.nominal_for) {
        ++(times_ != nullptr && call.before_recording ? issued_before_ : activities_without_call_);
        const std::array only{*call.nominal_for};
        add_work(call, only);
        return;
    }
    const auto activities = joins_.activities.find(call.correlation);
    if (activities.empty()) {
        add_without_work(call);
    } else {
        add_work(call, activities);
    }
}

Operation OperationBuilder::start_operation(const IssuedCall& call, bool waits) {
    Operation operation;
    operation.thread = tables_.thread(call.thread);
    operation.memory = call.memory;
    operation.host_before = call.host_before;
    if (index(operation.thread) >= thread_seen_.size()) {
        thread_seen_.resize(index(operation.thread) + 1, false);
        after_call_.resize(thread_seen_.size());
        thread_called_.resize(thread_seen_.size(), false);
    }
    const auto staging = std::exchange(after_call_[index(operation.thread)], Duration{});
    if (staging > Duration{}) {
        operation.host_before += staging;
        workload_.staging.push_back(
            {static_cast<std::uint32_t>(workload_.operations.size()), staging});
    }
    if (!thread_seen_[index(operation.thread)]) {
        thread_seen_[index(operation.thread)] = true;
        operation.host_before = call.start - region_start_;
    }
    if (times_ != nullptr && !call.nominal_for && !thread_called_[index(operation.thread)]) {
        thread_called_[index(operation.thread)] = true;
        operation.host_before = call.start - region_start_;  // whatever was issued before it
    }
    if (call.nominal_for) {
        if (!nominal_name_) {
            nominal_name_ = workload_.names.intern(kCallNotRecorded);
        }
        operation.name = *nominal_name_;
    } else {
        operation.name = tables_.name(call.name);
    }
    const bool nominal = waits || call.held_up || call.nominal_for || synchronises(call.meaning);
    if (handles_memory(call.meaning) && !waits && !call.nominal_for) {
        add_own_work(call, operation);
        return operation;
    }
    operation.call_cost = times_ != nullptr ? recorded_cost(call, waits)
                          : nominal         ? cost_of(cost_.untraced, call.meaning)
                                            : untraced_cost(call.traced, cost_, call.meaning);
    return operation;
}

/// What this very call took, less what it waited for.
Duration OperationBuilder::recorded_cost(const IssuedCall& call, bool waits) const {
    if (call.before_recording) {
        return Duration{};
    }
    if (synchronises(call.meaning)) {
        const auto idle = times_->idle_waits.find(call.name);
        if (idle != times_->idle_waits.end()) {
            return untraced_cost(idle->second, cost_, call.meaning);
        }
    }
    if (waits || call.nominal_for || synchronises(call.meaning)) {
        return cost_of(cost_.untraced, call.meaning);
    }
    return untraced_cost(call.traced, cost_, call.meaning);
}

/// Of a call that maps or unmaps memory: what waits does its work when the wait is over.
void OperationBuilder::add_own_work(const IssuedCall& call, Operation& operation) const {
    auto own = call.own_work;
    if (call.held_up && times_ == nullptr) {
        own = cost_of(cost_.untraced, call.meaning);
    } else if (!waited(call)) {
        own = untraced_cost(own, cost_, call.meaning);
    }
    const bool waits = call.meaning == CallMeaning::release || waited(call);
    (waits ? operation.after_wait : operation.call_cost) = own;
}

void OperationBuilder::append(const IssuedCall& call, Operation operation,
                              std::optional<std::uint32_t> activity) {
    workload_.operations.push_back(operation);
    origins_.push_back({call.start, call.end, activity});
}

void OperationBuilder::add_work(const IssuedCall& call, std::span<const std::uint32_t> activities) {
    bool first = true;
    for (const auto i : activities) {
        const auto& activity = trace_.activities[i];
        if (activity.device != part_.device) {
            continue;
        }
        auto action = work_of(activity, call);
        const auto* copy = std::get_if<Copy>(&action);
        const auto* memset = std::get_if<Memset>(&action);
        const bool waits =
            launch_blocking_ ||
            (copy != nullptr && !copy->buffered &&
             (!copy->asynchronous || touches_pageable(std::get<TracedCopy>(activity.what)))) ||
            (memset != nullptr && !memset->asynchronous);
        auto operation = start_operation(call, waits);
        if (!first) {
            operation.host_before = Duration{};
            operation.call_cost = Duration{};
        }
        operation.stream = tables_.stream(activity.context, activity.stream);
        operation.action = std::move(action);
        add_staging(call, activity, operation);
        append(call, operation, i);
        first = false;
    }
    if (first) {
        append(call, start_operation(call, false));  // all of it on another device
        workload_.operations.back().action = HostCall{};
    }
}

/// A pageable copy travels through a buffer of the driver. To the device, the host fills the first
/// part before the engine can start: host time of the call. To the host, it empties the last part
/// after the engine has ended: host time after the call. (Observed: 8 MiB, 130 us and 72 us; the
/// early return of a copy to the device, 21 us before its end, is left out.)
void OperationBuilder::add_staging(const IssuedCall& call, const DeviceActivity& activity,
                                   Operation& operation) {
    auto& stream_end = stream_ends_.try_emplace(operation.stream).first->second;
    const auto free_since = std::max(call.start, std::exchange(stream_end, activity.end));
    const auto* copy = std::get_if<TracedCopy>(&activity.what);
    if (copy == nullptr || call.nominal_for ||
        !(touches_pageable(*copy) || (times_ != nullptr && !copy->asynchronous))) {
        return;
    }
    if (copy->kind == CopyKind::host_to_device && call.end > activity.start &&
        activity.start - free_since > operation.call_cost) {
        operation.call_cost = activity.start - free_since;
    } else if (copy->kind == CopyKind::device_to_host && call.end > activity.end) {
        if (times_ != nullptr) {
            const auto& wake_up = times_->latencies.wake_up;
            operation.after_wait = std::max(
                call.end - activity.end - (wake_up ? wake_up->median : Duration{}), Duration{});
        } else {
            after_call_[index(operation.thread)] += call.end - activity.end;
        }
    }
}

Action OperationBuilder::work_of(const DeviceActivity& activity, const IssuedCall& call) {
    const auto duration = activity.end - activity.start;
    if (const auto* copy = std::get_if<TracedCopy>(&activity.what)) {
        // A copy inside the device never waits for it, whatever the call: only if it was seen to.
        const bool asynchronous = copy->asynchronous || (copy->kind == CopyKind::device_to_device &&
                                                         !returned_after(call, activity));
        return Copy{
            .kind = copy->kind,
            .source = copy->source,
            .destination = copy->destination,
            .asynchronous = asynchronous,
            .buffered = times_ != nullptr && was_buffered(call, activity),
            .measured_inline = travelled_inline(*copy, activity),
            .bytes = copy->bytes,
            .measured = Measured{duration, copy->bytes.count()},
            .measured_in_duplex = beside_other_direction_[static_cast<std::size_t>(
                &activity - trace_.activities.data())],
            .source_buffer = tables_.buffer(copy->source_address, copy->source, copy->bytes),
            .destination_buffer =
                tables_.buffer(copy->destination_address, copy->destination, copy->bytes)};
    }
    if (const auto* memset = std::get_if<TracedMemset>(&activity.what)) {
        // cudaMemset waits only for host memory: what counts is whether it was seen to.
        return Memset{.bytes = memset->bytes,
                      .asynchronous = memset->asynchronous || !returned_after(call, activity),
                      .measured = Measured{duration, memset->bytes.count()},
                      .buffer = tables_.buffer(memset->address, MemoryKind::device, memset->bytes)};
    }
    const auto& kernel = std::get<TracedKernel>(activity.what);
    return KernelLaunch{.kernel = tables_.kernel(kernel),
                        .measured = Measured{duration, kernel.shape.grid.count()}};
}

void OperationBuilder::add_without_work(const IssuedCall& call) {
    auto operation = start_operation(call, false);
    operation.action = host_action(call, operation);
    if (std::holds_alternative<HostCall>(operation.action) && enqueues_work(call.meaning) &&
        !call.failed) {
        ++calls_without_activity_;
    }
    append(call, operation);
}

const Synchronisation* OperationBuilder::synchronisation(const IssuedCall& call) const {
    const auto found = joins_.synchronisations.find(call.correlation);
    return found.empty() ? nullptr : &trace_.synchronisations[found.front()];
}

Action OperationBuilder::synchronise_stream(const IssuedCall& call, Operation& operation) {
    if (const auto* record = synchronisation(call); record != nullptr && record->stream) {
        operation.stream = tables_.stream(record->context, *record->stream);
        return SynchroniseStream{};
    }
    if (only_stream_) {
        operation.stream = tables_.stream(only_stream_->first, only_stream_->second);
        return SynchroniseStream{};
    }
    add_warning(workload_.warnings,
                {"sync-without-record",
                 "the trace does not say which stream is waited for; the wait is taken to be for "
                 "the whole device"});
    return SynchroniseDevice{};
}

Action OperationBuilder::host_action(const IssuedCall& call, Operation& operation) {
    switch (call.meaning) {
        case CallMeaning::event_record: {
            const auto recording = event_recording(trace_, joins_, call.correlation);
            if (!recording) {
                return HostCall{};
            }
            operation.stream = tables_.stream(recording->context, recording->stream);
            return EventRecord{events_.add(*recording)};
        }
        case CallMeaning::event_wait: {
            const auto* record = synchronisation(call);
            const auto event = record != nullptr ? events_.find(*record) : std::nullopt;
            if (!event || !record->stream) {
                return HostCall{};
            }
            operation.stream = tables_.stream(record->context, *record->stream);
            return EventWait{*event};
        }
        case CallMeaning::host_function:
            if (!only_stream_) {
                add_warning(workload_.warnings,
                            {"host-function",
                             "the trace does not say which stream a host function belongs to; it "
                             "counts as host time alone"});
                return HostCall{};
            }
            operation.stream = tables_.stream(only_stream_->first, only_stream_->second);
            return HostFunction{};
        case CallMeaning::synchronise_stream: return synchronise_stream(call, operation);
        case CallMeaning::synchronise_device: return SynchroniseDevice{};
        case CallMeaning::synchronise_event: {
            const auto* record = synchronisation(call);
            const auto event = record != nullptr ? events_.find(*record) : std::nullopt;
            return event ? Action{SynchroniseEvent{*event}} : Action{HostCall{}};
        }
        case CallMeaning::release: return ReleaseMemory{};
        case CallMeaning::allocation: return HostCall{.after_copies_to_device = waited(call)};
        default: return HostCall{};
    }
}

}  // namespace overcast
