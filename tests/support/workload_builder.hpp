// A vocabulary for workloads in tests, so that a test reads as a sentence:
//
//   WorkloadBuilder program;
//   program.on(0).h2d(64_KiB).kernel(132, 120us).d2h(64_KiB);
//   program.on(1).wait_for(0);
//   program.synchronise(0);
#pragma once

#include "core/workload.hpp"

#include <cstdint>
#include <string>

namespace overcast::test {

constexpr Bytes operator""_B(unsigned long long count) { return Bytes{count}; }
constexpr Bytes operator""_KiB(unsigned long long count) { return Bytes{count << 10}; }
constexpr Bytes operator""_MiB(unsigned long long count) { return Bytes{count << 20}; }

class WorkloadBuilder {
public:
    /// Adds `streams` streams of one kind.
    explicit WorkloadBuilder(std::uint32_t streams = 4,
                             StreamKind kind = StreamKind::non_blocking) {
        workload_.streams.resize(streams, Stream{kind, 0, std::nullopt});
        workload_.names.intern("call");
    }

    WorkloadBuilder& stream_kind(std::uint32_t stream, StreamKind kind) {
        workload_.streams[stream].kind = kind;
        return *this;
    }
    /// The stream of the following steps.
    WorkloadBuilder& on(std::uint32_t stream) {
        stream_ = stream;
        return *this;
    }
    /// The host thread of the following steps.
    WorkloadBuilder& by_thread(std::uint32_t thread) {
        thread_ = thread;
        workload_.threads = std::max(workload_.threads, thread + 1);
        return *this;
    }
    /// Host time inside each of the following calls.
    WorkloadBuilder& calls_take(Duration cost) {
        cost_ = cost;
        return *this;
    }
    /// The host thinks before the next call.
    WorkloadBuilder& host_works(Duration duration) {
        before_ += duration;
        return *this;
    }

    WorkloadBuilder& h2d(Bytes bytes, MemoryKind host = MemoryKind::pinned,
                         bool asynchronous = true) {
        return copy(CopyKind::host_to_device, host, MemoryKind::device, bytes, asynchronous);
    }
    WorkloadBuilder& d2h(Bytes bytes, MemoryKind host = MemoryKind::pinned,
                         bool asynchronous = true) {
        return copy(CopyKind::device_to_host, MemoryKind::device, host, bytes, asynchronous);
    }
    WorkloadBuilder& d2d(Bytes bytes, bool asynchronous = true) {
        return copy(CopyKind::device_to_device, MemoryKind::device, MemoryKind::device, bytes,
                    asynchronous);
    }
    WorkloadBuilder& memset(Bytes bytes, bool asynchronous = true) {
        Memset action;
        action.bytes = bytes;
        action.asynchronous = asynchronous;
        return add(action);
    }
    /// A kernel of `blocks` blocks of `threads` threads that takes `duration` when it runs alone.
    WorkloadBuilder& kernel(std::uint32_t blocks, Duration duration, std::uint32_t threads = 1024,
                            Bytes shared_memory = {}) {
        Kernel kernel;
        kernel.shape.grid.x = blocks;
        kernel.shape.block.x = threads;
        kernel.shape.registers_per_thread = 16;
        kernel.shape.dynamic_shared_memory = shared_memory;
        workload_.kernels.push_back(kernel);
        const auto index = static_cast<KernelIndex>(workload_.kernels.size() - 1);
        return add(KernelLaunch{index, Measured{duration, blocks}});
    }
    /// Records a new event; its number counts up from 0.
    WorkloadBuilder& record() {
        return add(EventRecord{static_cast<EventIndex>(workload_.events++)});
    }
    WorkloadBuilder& wait_for(std::uint32_t event) {
        return add(EventWait{static_cast<EventIndex>(event)});
    }
    WorkloadBuilder& host_function(Duration duration) {
        return add(HostFunction{Measured{duration, 1}});
    }
    WorkloadBuilder& synchronise(std::uint32_t stream) {
        on(stream);
        return add(SynchroniseStream{});
    }
    WorkloadBuilder& synchronise_device() { return add(SynchroniseDevice{}); }
    WorkloadBuilder& release_memory() { return add(ReleaseMemory{}); }
    /// An allocation that waits for copies to the device.
    WorkloadBuilder& allocate_memory() { return add(HostCall{.after_copies_to_device = true}); }

    WorkloadBuilder& max_connections(std::uint32_t connections) {
        workload_.max_connections = connections;
        return *this;
    }
    WorkloadBuilder& warm() {
        workload_.warm = true;
        return *this;
    }

    [[nodiscard]] const Workload& workload() const { return workload_; }

private:
    WorkloadBuilder& copy(CopyKind kind, MemoryKind source, MemoryKind destination, Bytes bytes,
                          bool asynchronous) {
        Copy action;
        action.kind = kind;
        action.source = source;
        action.destination = destination;
        action.bytes = bytes;
        action.asynchronous = asynchronous;
        return add(action);
    }
    WorkloadBuilder& add(Action action) {
        Operation operation;
        operation.host_before = before_;
        operation.call_cost = cost_;
        operation.thread = static_cast<ThreadIndex>(thread_);
        operation.stream = static_cast<StreamIndex>(stream_);
        operation.action = std::move(action);
        workload_.operations.push_back(std::move(operation));
        before_ = Duration{};
        return *this;
    }

    Workload workload_;
    std::uint32_t stream_ = 0;
    std::uint32_t thread_ = 0;
    Duration cost_{};
    Duration before_{};
};

}  // namespace overcast::test
