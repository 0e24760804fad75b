// Trace: what one real run recorded. Times are on the recording's own clock.
//
// All lists are in the order of their start times, except where said otherwise. A device activity
// and the API call that issued it share a correlation id.
#pragma once

#include "core/device.hpp"
#include "core/ids.hpp"
#include "core/kernel_code.hpp"
#include "core/kernel_counters.hpp"
#include "core/names.hpp"
#include "core/operation_kinds.hpp"
#include "core/record_mode.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace overcast {

enum class ApiDomain : std::uint8_t { runtime, driver };

/// One call of the CUDA runtime or driver by a host thread.
struct ApiCall {
    TraceTime start;
    TraceTime end;
    CorrelationId correlation{};
    NameId name{};  ///< without the ABI suffix: "cudaMemcpyAsync", not "cudaMemcpyAsync_v3020"
    ProcessId process{};
    ThreadId thread{};
    std::int32_t return_value = 0;
    ApiDomain domain = ApiDomain::runtime;
};

struct TracedCopy {
    CopyKind kind{};
    MemoryKind source{};
    MemoryKind destination{};
    bool asynchronous = true;  ///< issued by an …Async call
    Bytes bytes;
    std::optional<Address> source_address;
    std::optional<Address> destination_address;
};

struct TracedMemset {
    Bytes bytes;
    std::uint32_t value = 0;
    bool asynchronous = true;
    std::optional<Address> address;
};

struct TracedKernel {
    NameId name{};  ///< demangled where the recorder could
    KernelShape shape;
};

enum class ChannelType : std::uint8_t { unknown, compute, copy };

/// The hardware channel that served an activity.
struct Channel {
    ChannelId id{};
    ChannelType type{};

    bool operator==(const Channel&) const = default;
};

/// Something the device did: a copy, a memset or a kernel.
struct DeviceActivity {
    TraceTime start;
    TraceTime end;
    CorrelationId correlation{};
    DeviceId device{};
    ContextId context{};
    StreamId stream{};
    std::optional<Channel> channel;
    std::optional<TraceTime> queued;     ///< put into the driver's command buffer
    std::optional<TraceTime> submitted;  ///< command buffer handed to the GPU
    std::optional<GraphId> graph;
    std::optional<GraphNodeId> graph_node;
    std::variant<TracedCopy, TracedMemset, TracedKernel> what;
};

enum class SynchronisationKind : std::uint8_t {
    event,              ///< the host waits for an event
    stream_wait_event,  ///< a stream waits for an event, the host does not
    stream,             ///< the host waits for a stream
    context,            ///< the host waits for everything (cudaDeviceSynchronize)
};

struct Synchronisation {
    TraceTime start;
    TraceTime end;
    CorrelationId correlation{};
    ContextId context{};
    SynchronisationKind kind{};
    std::optional<StreamId> stream;
    std::optional<CudaEventId> event;
    std::optional<EventSyncId> event_sync;            ///< joins the wait to its record
    std::optional<CorrelationId> record_correlation;  ///< Kineto's way to say the same
    /// The stream of that record, as Kineto gives it.
    std::optional<StreamId> record_stream = std::nullopt;
};

/// cudaEventRecord.
struct EventRecording {
    CorrelationId correlation{};
    ContextId context{};
    StreamId stream{};
    CudaEventId event{};
    std::optional<EventSyncId> event_sync;
    std::optional<TraceTime> device_time;
};

enum class StreamFlag : std::uint8_t { unknown, blocking, non_blocking, legacy_default };

struct StreamProperties {
    ContextId context{};
    StreamId stream{};
    StreamFlag flag{};
    std::optional<std::int32_t> priority;
};

struct ContextProperties {
    ContextId context{};
    DeviceId device{};
    std::optional<StreamId> null_stream;
};

/// Allocation or release of memory.
struct MemoryOperation {
    TraceTime time;
    CorrelationId correlation{};
    ProcessId process{};
    MemoryKind kind{};
    bool release = false;
    bool asynchronous = false;
    Address address{};
    Bytes bytes;
};

enum class OverheadKind : std::uint8_t {
    unknown,
    driver_compiler,
    buffer_flush,         ///< the recorder's own
    instrumentation,      ///< the recorder's own
    resource,             ///< the recorder's own
    module_loading,       ///< first-call cost of the program
    lazy_loading,         ///< first-call cost of the program
    command_buffer_full,  ///< the program's launch queue was full: belongs to the program
    buffer_request,       ///< the recorder's own
};

struct Overhead {
    TraceTime start;
    TraceTime end;
    OverheadKind kind{};
    std::optional<ThreadId> thread;
};

/// An NVTX range (or a PyTorch user annotation) of one thread.
struct NamedRange {
    TraceTime start;
    TraceTime end;
    NameId name{};
    ProcessId process{};
    ThreadId thread{};
};

/// How far the recording can be trusted.
struct TraceQuality {
    std::uint64_t dropped_records = 0;
    std::uint64_t zero_timestamps = 0;     ///< records without a time; they are not in the lists
    std::uint64_t unfinished_records = 0;  ///< lost because the program ended abruptly
    std::optional<Duration> time_in_cupti;
    bool truncated = false;  ///< the program did not end by itself
};

/// A stretch of the recording that was asked for (cudaProfilerStart … Stop, or an NVTX range).
struct RecordedRange {
    TraceTime start;
    TraceTime end;
};

struct Trace {
    std::string source;                              ///< the file it came from, for messages
    std::string producer;                            ///< "overcast 0.1.0", "kineto", …
    std::string program;                             ///< command line of the traced program
    std::string date;                                ///< ISO 8601, UTC
    std::map<std::string, std::string> environment;  ///< CUDA_… variables that matter, as set
    std::optional<std::string> driver_version;
    std::optional<std::string> cuda_version;
    std::optional<RecordMode> record_mode;
    /// "all", "profiler-api" or "nvtx:NAME": what the recorder was asked to keep.
    std::string range = "all";
    std::vector<RecordedRange> recorded_ranges;
    TraceQuality quality;

    NameTable names;
    std::vector<DeviceProperties> devices;
    std::vector<ContextProperties> contexts;
    std::vector<StreamProperties> streams;
    std::vector<ApiCall> api_calls;
    std::vector<DeviceActivity> activities;
    std::vector<Synchronisation> synchronisations;
    std::vector<EventRecording> event_recordings;
    std::vector<MemoryOperation> memory_operations;
    std::vector<Overhead> overheads;
    std::vector<NamedRange> ranges;
    std::vector<KernelCounters> counters;  ///< of a second run; empty where none was made
    std::vector<KernelCode> code;          ///< of the kernels that ran, where it could be read

    Warnings warnings;
};

}  // namespace overcast
