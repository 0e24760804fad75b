// Traces written by hand: a recording told as a story, in the order of the host's calls.
//
//   TraceBuilder trace;
//   trace.issue(h2d(mib(64)).on(7).taking(1200us))
//       .issue(kernel("scale").grid(528).block(256).on(7).taking(200us))
//       .synchronise_stream(7);
//   const Trace recorded = trace.build();
//
// The builder keeps a clock per host thread and one per stream. Unless told otherwise a call takes
// 2 us, the device starts 5 us after the call's start or 1 us after its stream's previous operation
// ended, whichever is later, and a wait returns when what it waits for is done.
#pragma once

#include "core/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace overcast::testing {

constexpr Bytes kib(std::uint64_t count) { return Bytes{count << 10U}; }
constexpr Bytes mib(std::uint64_t count) { return Bytes{count << 20U}; }

/// A copy, memset or kernel and how it was issued; made by h2d(), d2h(), d2d(), memset(), kernel().
class Work {
public:
    explicit Work(std::string call) : call_{std::move(call)} {}

    Work& on(std::uint32_t stream) { return set(stream_, StreamId{stream}); }
    Work& taking(Duration duration) { return set(duration_, duration); }
    /// Time inside the API call; a call that waits returns no earlier than its work ends.
    Work& call_taking(Duration duration) { return set(call_duration_, duration); }
    /// Device start, on the trace's clock.
    Work& starting_at(Duration time) { return set(device_start_, std::optional{time}); }
    Work& on_channel(std::uint32_t id, ChannelType type) {
        return set(channel_, std::optional{Channel{ChannelId{id}, type}});
    }
    Work& through(std::string call) { return set(call_, std::move(call)); }
    /// The recorder lost the API call.
    Work& without_call() { return set(has_call_, false); }
    Work& of_graph_node(std::uint64_t node) {
        return set(graph_node_, std::optional{GraphNodeId{node}});
    }

    // Copies only.
    Work& pageable() {
        auto& copy = std::get<TracedCopy>(what_);
        (copy.kind == CopyKind::host_to_device ? copy.source : copy.destination) =
            MemoryKind::pageable;
        return *this;
    }
    /// Through cudaMemcpy: the call returns when the copy is done.
    Work& blocking() {
        std::get<TracedCopy>(what_).asynchronous = false;
        return through("cudaMemcpy");
    }
    Work& from(std::uint64_t address) {
        std::get<TracedCopy>(what_).source_address = Address{address};
        return *this;
    }
    Work& to(std::uint64_t address) {
        if (auto* memset = std::get_if<TracedMemset>(&what_)) {
            memset->address = Address{address};
        } else {
            std::get<TracedCopy>(what_).destination_address = Address{address};
        }
        return *this;
    }

    // Kernels only.
    Work& grid(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
        std::get<TracedKernel>(what_).shape.grid = {x, y, z};
        return *this;
    }
    Work& block(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
        std::get<TracedKernel>(what_).shape.block = {x, y, z};
        return *this;
    }

private:
    friend class TraceBuilder;
    friend Work copy_of(CopyKind kind, MemoryKind source, MemoryKind destination, Bytes bytes);
    friend Work memset(Bytes bytes);
    friend Work kernel(std::string name);

    template <typename Value>
    Work& set(Value& member, Value value) {
        member = std::move(value);
        return *this;
    }

    std::string call_;
    std::string kernel_name_;
    std::variant<TracedCopy, TracedMemset, TracedKernel> what_;
    StreamId stream_{7};
    Duration duration_ = std::chrono::microseconds{10};
    Duration call_duration_ = std::chrono::microseconds{2};
    std::optional<Duration> device_start_;
    std::optional<Channel> channel_;
    std::optional<GraphNodeId> graph_node_;
    bool has_call_ = true;
};

inline Work copy_of(CopyKind kind, MemoryKind source, MemoryKind destination, Bytes bytes) {
    Work work{"cudaMemcpyAsync"};
    TracedCopy copy;
    copy.kind = kind;
    copy.source = source;
    copy.destination = destination;
    copy.bytes = bytes;
    work.what_ = copy;
    return work;
}

/// From and to pinned memory unless made pageable().
inline Work h2d(Bytes bytes) {
    return copy_of(CopyKind::host_to_device, MemoryKind::pinned, MemoryKind::device, bytes);
}
inline Work d2h(Bytes bytes) {
    return copy_of(CopyKind::device_to_host, MemoryKind::device, MemoryKind::pinned, bytes);
}
inline Work d2d(Bytes bytes) {
    return copy_of(CopyKind::device_to_device, MemoryKind::device, MemoryKind::device, bytes);
}
inline Work memset(Bytes bytes) {
    Work work{"cudaMemsetAsync"};
    TracedMemset memset;
    memset.bytes = bytes;
    work.what_ = memset;
    return work;
}
inline Work kernel(std::string name) {
    Work work{"cudaLaunchKernel"};
    TracedKernel launched;
    launched.shape.grid = {528, 1, 1};
    launched.shape.block = {256, 1, 1};
    work.what_ = launched;
    work.kernel_name_ = std::move(name);
    return work;
}

class TraceBuilder {
public:
    TraceBuilder() {
        trace_.source = "hand-made trace";
        trace_.producer = "overcast test";
        DeviceProperties device;
        device.name = "Test GPU";
        trace_.devices.push_back(device);
        trace_.contexts.push_back({ContextId{1}, DeviceId{0}, StreamId{7}});
    }

    /// For what the story cannot say: quality, environment, recorded ranges, …
    Trace& trace() { return trace_; }

    /// The thread that makes the calls from here on.
    TraceBuilder& on_thread(std::uint64_t thread) {
        thread_ = ThreadId{thread};
        return *this;
    }
    /// The thread does something of its own.
    TraceBuilder& host_time(Duration duration) {
        host_clock() += duration;
        return *this;
    }
    TraceBuilder& stream(std::uint32_t stream, StreamFlag flag, std::int32_t priority = 0) {
        trace_.streams.push_back({ContextId{1}, StreamId{stream}, flag, priority});
        return *this;
    }

    TraceBuilder& issue(const Work& work) {
        const auto start = host_clock();
        const auto correlation = next_correlation();
        auto device_start = std::max(start + kLatency, stream_end(work.stream_) + kStreamGap);
        device_start = work.device_start_.value_or(device_start);
        const auto device_end = device_start + work.duration_;
        stream_clock_[work.stream_] = device_end;
        auto end = start + work.call_duration_;
        if (waits(work)) {
            end = std::max(end, device_end);
        }
        DeviceActivity activity;
        activity.start = TraceTime{device_start};
        activity.end = TraceTime{device_end};
        activity.correlation = correlation;
        activity.context = ContextId{1};
        activity.stream = work.stream_;
        activity.channel = work.channel_;
        activity.graph_node = work.graph_node_;
        activity.what = work.what_;
        if (auto* launched = std::get_if<TracedKernel>(&activity.what)) {
            launched->name = trace_.names.intern(work.kernel_name_);
        }
        trace_.activities.push_back(activity);
        if (work.has_call_) {
            add_call(work.call_, start, end, correlation);
            host_clock() = end;
        }
        return *this;
    }

    /// Another activity of the call before (a kernel of the same graph, …).
    TraceBuilder& also(const Work& work) {
        const auto calls = trace_.api_calls.size();
        const auto clock = host_clock();
        issue(work);
        trace_.api_calls.resize(calls);
        host_clock() = clock;
        trace_.activities.back().correlation = trace_.api_calls.back().correlation;
        return *this;
    }

    TraceBuilder& call(std::string_view name, Duration duration, std::int32_t returned = 0) {
        add_call(name, host_clock(), host_clock() + duration, next_correlation());
        trace_.api_calls.back().return_value = returned;
        host_clock() += duration;
        return *this;
    }

    /// A driver call inside the call before, with a correlation id of its own.
    TraceBuilder& inner_call(std::string_view name) {
        const auto outer = trace_.api_calls.back();
        add_call(name, outer.start.time_since_epoch() + Duration{100},
                 outer.end.time_since_epoch() - Duration{100}, outer.correlation);
        trace_.api_calls.back().domain = ApiDomain::driver;
        return *this;
    }

    TraceBuilder& synchronise_stream(std::uint32_t stream) {
        return wait("cudaStreamSynchronize", SynchronisationKind::stream, StreamId{stream},
                    std::nullopt, stream_end(StreamId{stream}));
    }
    TraceBuilder& synchronise_device() {
        Duration last{};
        for (const auto& [stream, end] : stream_clock_) {
            last = std::max(last, end);
        }
        return wait("cudaDeviceSynchronize", SynchronisationKind::context, std::nullopt,
                    std::nullopt, last);
    }
    TraceBuilder& synchronise_event(std::uint32_t event) {
        return wait("cudaEventSynchronize", SynchronisationKind::event, std::nullopt, event,
                    recorded_[event].second);
    }
    TraceBuilder& record_event(std::uint32_t event, std::uint32_t stream) {
        const EventSyncId sync{++event_syncs_};
        recorded_[event] = {sync, stream_end(StreamId{stream})};
        const auto correlation = next_correlation();
        add_call("cudaEventRecord", host_clock(), host_clock() + kShortCall, correlation);
        host_clock() += kShortCall;
        trace_.event_recordings.push_back(
            {correlation, ContextId{1}, StreamId{stream}, CudaEventId{event}, sync, std::nullopt});
        return *this;
    }
    TraceBuilder& wait_event(std::uint32_t stream, std::uint32_t event) {
        auto& clock = stream_clock_[StreamId{stream}];
        clock = std::max(clock, recorded_[event].second);
        return wait("cudaStreamWaitEvent", SynchronisationKind::stream_wait_event, StreamId{stream},
                    event, Duration{});
    }

    TraceBuilder& overhead(OverheadKind kind, Duration start, Duration duration) {
        trace_.overheads.push_back({TraceTime{start}, TraceTime{start + duration}, kind, thread_});
        return *this;
    }
    TraceBuilder& allocate(std::uint64_t address, Bytes bytes,
                           MemoryKind kind = MemoryKind::device) {
        return memory({address, bytes, kind, false});
    }
    TraceBuilder& release(std::uint64_t address, Bytes bytes) {
        return memory({address, bytes, MemoryKind::device, true});
    }

    /// Everything that `told` tells happens inside an NVTX range.
    template <typename Told>
    TraceBuilder& range(std::string_view name, Told told) {
        NamedRange range;
        range.start = TraceTime{host_clock()};
        range.thread = thread_;
        range.name = trace_.names.intern(name);
        told(*this);
        range.end = TraceTime{host_clock()};
        trace_.ranges.push_back(range);
        return *this;
    }

    /// The thread's clock: when its next call starts.
    [[nodiscard]] Duration now() { return host_clock(); }

    /// The trace with its lists in order of time, as a reader gives them.
    [[nodiscard]] Trace build() const {
        auto trace = trace_;
        const auto by_start = [](const auto& left, const auto& right) {
            return left.start < right.start;
        };
        std::stable_sort(trace.api_calls.begin(), trace.api_calls.end(), by_start);
        std::stable_sort(trace.activities.begin(), trace.activities.end(), by_start);
        std::stable_sort(trace.synchronisations.begin(), trace.synchronisations.end(), by_start);
        std::stable_sort(trace.overheads.begin(), trace.overheads.end(), by_start);
        std::stable_sort(trace.ranges.begin(), trace.ranges.end(), by_start);
        return trace;
    }

private:
    static constexpr Duration kLatency = std::chrono::microseconds{5};
    static constexpr Duration kStreamGap = std::chrono::microseconds{1};
    static constexpr Duration kShortCall = std::chrono::microseconds{1};

    struct MemoryEvent {
        std::uint64_t address;
        Bytes bytes;
        MemoryKind kind;
        bool release;
    };

    static bool waits(const Work& work) {
        const auto* copy = std::get_if<TracedCopy>(&work.what_);
        return copy != nullptr && (!copy->asynchronous || copy->source == MemoryKind::pageable ||
                                   copy->destination == MemoryKind::pageable);
    }

    Duration& host_clock() { return host_clock_[thread_]; }
    Duration stream_end(StreamId stream) {
        const auto place = stream_clock_.find(stream);
        return place == stream_clock_.end() ? Duration{} : place->second;
    }
    CorrelationId next_correlation() { return CorrelationId{++correlations_}; }

    void add_call(std::string_view name, Duration start, Duration end, CorrelationId correlation) {
        ApiCall call;
        call.start = TraceTime{start};
        call.end = TraceTime{end};
        call.correlation = correlation;
        call.name = trace_.names.intern(name);
        call.thread = thread_;
        trace_.api_calls.push_back(call);
    }

    TraceBuilder& wait(std::string_view name, SynchronisationKind kind,
                       std::optional<StreamId> stream, std::optional<std::uint32_t> event,
                       Duration until) {
        const auto start = host_clock();
        const auto end = std::max(start + kShortCall, until);
        const auto correlation = next_correlation();
        add_call(name, start, end, correlation);
        host_clock() = end;
        Synchronisation record;
        record.start = TraceTime{start};
        record.end = TraceTime{end};
        record.correlation = correlation;
        record.context = ContextId{1};
        record.kind = kind;
        record.stream = stream;
        if (event) {
            record.event = CudaEventId{*event};
            record.event_sync = recorded_[*event].first;
        }
        trace_.synchronisations.push_back(record);
        return *this;
    }

    TraceBuilder& memory(const MemoryEvent& event) {
        MemoryOperation operation;
        operation.time = TraceTime{host_clock()};
        operation.correlation = next_correlation();
        operation.kind = event.kind;
        operation.release = event.release;
        operation.address = Address{event.address};
        operation.bytes = event.bytes;
        trace_.memory_operations.push_back(operation);
        return *this;
    }

    Trace trace_;
    ThreadId thread_{1};
    std::uint64_t correlations_ = 0;
    std::uint64_t event_syncs_ = 0;
    std::map<ThreadId, Duration> host_clock_;
    std::map<StreamId, Duration> stream_clock_;
    std::map<std::uint32_t, std::pair<EventSyncId, Duration>> recorded_;
};

}  // namespace overcast::testing
