#include "tracer/injection/decoder.hpp"

#include "tracer/injection/api_names.hpp"

#include <utility>

namespace overcast::injection {
namespace {

MemoryKind memory_kind(std::uint32_t kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE: return MemoryKind::pageable;
        case CUPTI_ACTIVITY_MEMORY_KIND_PINNED: return MemoryKind::pinned;
        case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
        case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC: return MemoryKind::device;
        case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY: return MemoryKind::array;
        case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
        case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC: return MemoryKind::managed;
        default: return MemoryKind::unknown;
    }
}

CopyKind copy_kind(std::uint32_t kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return CopyKind::host_to_device;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return CopyKind::device_to_host;
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH: return CopyKind::host_to_host;
        case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return CopyKind::peer_to_peer;
        default: return CopyKind::device_to_device;
    }
}

OverheadKind overhead_kind(CUpti_ActivityOverheadKind kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER: return OverheadKind::driver_compiler;
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH: return OverheadKind::buffer_flush;
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION: return OverheadKind::instrumentation;
        case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE: return OverheadKind::resource;
        case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
            return OverheadKind::module_loading;
        case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING: return OverheadKind::lazy_loading;
        case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL: return OverheadKind::command_buffer_full;
        case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST: return OverheadKind::buffer_request;
        default: return OverheadKind::unknown;
    }
}

StreamFlag stream_flag(CUpti_ActivityStreamFlag flag) {
    switch (flag) {
        case CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT: return StreamFlag::blocking;
        case CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING: return StreamFlag::non_blocking;
        case CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL: return StreamFlag::legacy_default;
        default: return StreamFlag::unknown;
    }
}

ChannelType channel_type(CUpti_ChannelType type) {
    switch (type) {
        case CUPTI_CHANNEL_TYPE_COMPUTE: return ChannelType::compute;
        case CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY: return ChannelType::copy;
        default: return ChannelType::unknown;
    }
}

/// Fields that every device record has under the same names.
template <typename Record>
spool::Activity activity(const Record& record) {
    spool::Activity common;
    common.start = record.start;
    common.end = record.end;
    common.graph_node = record.graphNodeId;
    common.graph = record.graphId;
    common.correlation = record.correlationId;
    common.device = record.deviceId;
    common.context = record.contextId;
    common.stream = record.streamId;
    common.channel = record.channelID;
    common.channel_type = static_cast<std::uint32_t>(channel_type(record.channelType));
    return common;
}

/// Fields that a copy has, from the same device or from another one.
template <typename Record>
spool::Copy copy_of(const Record& record, CopyKind kind) {
    spool::Copy copy;
    copy.activity = activity(record);
    copy.bytes = record.bytes;
    copy.kind = kind;
    copy.source = memory_kind(record.srcKind);
    copy.destination = memory_kind(record.dstKind);
    copy.asynchronous = (record.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0 ? 1 : 0;
    return copy;
}

Extent extent(std::int64_t x, std::int64_t y, std::int64_t z) {
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
            static_cast<std::uint32_t>(z)};
}

/// CUPTI reports no cluster as 0 × 0 × 0.
Extent cluster(const CUpti_ActivityKernel10& record) {
    return record.clusterX == 0 ? Extent{}
                                : extent(record.clusterX, record.clusterY, record.clusterZ);
}

template <typename Record>
const Record& as(const CUpti_Activity& record) {
    return reinterpret_cast<const Record&>(record);
}

}  // namespace

Decoder::Decoder(SpoolWriter& spool, CallbackNames names)
    : spool_{spool}, names_{std::move(names)} {}

void Decoder::decode(const CUpti_Activity& record) {
    switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_RUNTIME:
            return decode_api(as<CUpti_ActivityAPI>(record), CUPTI_CB_DOMAIN_RUNTIME_API);
        case CUPTI_ACTIVITY_KIND_DRIVER:
            return decode_api(as<CUpti_ActivityAPI>(record), CUPTI_CB_DOMAIN_DRIVER_API);
        case CUPTI_ACTIVITY_KIND_KERNEL:
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
            return decode_kernel(as<CUpti_ActivityKernel10>(record));
        case CUPTI_ACTIVITY_KIND_MEMCPY: return decode_copy(as<CUpti_ActivityMemcpy6>(record));
        case CUPTI_ACTIVITY_KIND_MEMCPY2:
            return decode_peer_copy(as<CUpti_ActivityMemcpyPtoP4>(record));
        case CUPTI_ACTIVITY_KIND_MEMSET: return decode_memset(as<CUpti_ActivityMemset4>(record));
        case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
            return decode_synchronisation(as<CUpti_ActivitySynchronization2>(record));
        case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
            return decode_event(as<CUpti_ActivityCudaEvent2>(record));
        case CUPTI_ACTIVITY_KIND_STREAM: {
            const auto& stream = as<CUpti_ActivityStream>(record);
            return spool_.append(spool::Stream{
                stream.contextId, stream.streamId, static_cast<std::int32_t>(stream.priority),
                static_cast<std::uint32_t>(stream_flag(stream.flag))});
        }
        case CUPTI_ACTIVITY_KIND_CONTEXT: {
            const auto& context = as<CUpti_ActivityContext3>(record);
            return spool_.append(
                spool::Context{context.contextId, context.deviceId, context.nullStreamId, 0});
        }
        case CUPTI_ACTIVITY_KIND_DEVICE: return decode_device(as<CUpti_ActivityDevice5>(record));
        case CUPTI_ACTIVITY_KIND_PCIE: {
            const auto& link = as<CUpti_ActivityPcie>(record);
            if (link.type == CUPTI_PCIE_DEVICE_TYPE_GPU) {
                spool_.append(spool::Link{static_cast<std::uint32_t>(link.id.devId),
                                          link.pcieGeneration, link.linkWidth});
            }
            return;
        }
        case CUPTI_ACTIVITY_KIND_MEMORY2: return decode_memory(as<CUpti_ActivityMemory4>(record));
        case CUPTI_ACTIVITY_KIND_OVERHEAD:
            return decode_overhead(as<CUpti_ActivityOverhead3>(record));
        case CUPTI_ACTIVITY_KIND_MARKER: return decode_marker(as<CUpti_ActivityMarker2>(record));
        default: ++unknown_records_;
    }
}

void Decoder::decode_api(const CUpti_ActivityAPI& record, CUpti_CallbackDomain domain) {
    spool::Api api;
    api.start = record.start;
    api.end = record.end;
    api.correlation = record.correlationId;
    api.thread = record.threadId;
    api.name = api_name(domain, record.cbid);
    api.return_value = static_cast<std::int32_t>(record.returnValue);
    api.process = record.processId;
    api.driver = domain == CUPTI_CB_DOMAIN_DRIVER_API ? 1 : 0;
    if (has_times(api.start, api.end)) {
        spool_.append(api);
    }
}

void Decoder::decode_kernel(const CUpti_ActivityKernel10& record) {
    if (!has_times(record.start, record.end)) {
        return;
    }
    spool::Kernel kernel;
    kernel.activity = activity(record);
    kernel.queued = record.queued;
    kernel.submitted = record.submitted;
    kernel.grid = extent(record.gridX, record.gridY, record.gridZ);
    kernel.block = extent(record.blockX, record.blockY, record.blockZ);
    kernel.cluster = cluster(record);
    kernel.name = spool_.intern(record.name);
    kernel.registers_per_thread = record.registersPerThread;
    kernel.static_shared_memory = static_cast<std::uint32_t>(record.staticSharedMemory);
    kernel.dynamic_shared_memory = static_cast<std::uint32_t>(record.dynamicSharedMemory);
    kernel.executed_shared_memory = record.sharedMemoryExecuted;
    spool_.append(kernel);
}

void Decoder::decode_copy(const CUpti_ActivityMemcpy6& record) {
    if (!has_times(record.start, record.end)) {
        return;
    }
    spool_.append(copy_of(record, copy_kind(record.copyKind)));
}

void Decoder::decode_peer_copy(const CUpti_ActivityMemcpyPtoP4& record) {
    if (!has_times(record.start, record.end)) {
        return;
    }
    spool_.append(copy_of(record, CopyKind::peer_to_peer));
}

void Decoder::decode_memset(const CUpti_ActivityMemset4& record) {
    if (!has_times(record.start, record.end)) {
        return;
    }
    spool::Memset memset;
    memset.activity = activity(record);
    memset.bytes = record.bytes;
    memset.value = record.value;
    memset.asynchronous = (record.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0 ? 1 : 0;
    spool_.append(memset);
}

void Decoder::decode_synchronisation(const CUpti_ActivitySynchronization2& record) {
    spool::Synchronisation sync;
    sync.start = record.start;
    sync.end = record.end;
    sync.correlation = record.correlationId;
    sync.context = record.contextId;
    sync.stream = record.streamId;
    sync.event = record.cudaEventId;
    sync.has_stream = record.streamId != CUPTI_SYNCHRONIZATION_INVALID_VALUE ? 1 : 0;
    sync.has_event = record.cudaEventId != CUPTI_SYNCHRONIZATION_INVALID_VALUE ? 1 : 0;
    sync.event_sync = sync.has_event != 0 ? record.cudaEventSyncId : 0;
    SynchronisationKind kind{};
    switch (record.type) {
        case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
            kind = SynchronisationKind::event;
            break;
        case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
            kind = SynchronisationKind::stream_wait_event;
            break;
        case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
            kind = SynchronisationKind::stream;
            break;
        case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
            kind = SynchronisationKind::context;
            break;
        default: ++unknown_records_; return;
    }
    sync.kind = static_cast<std::uint32_t>(kind);
    if (has_times(sync.start, sync.end)) {
        spool_.append(sync);
    }
}

void Decoder::decode_event(const CUpti_ActivityCudaEvent2& record) {
    spool::EventRecording event;
    event.event_sync = record.cudaEventSyncId;
    event.device_time = record.deviceTimestamp;
    event.correlation = record.correlationId;
    event.context = record.contextId;
    event.stream = record.streamId;
    event.event = record.eventId;
    spool_.append(event);
}

void Decoder::decode_device(const CUpti_ActivityDevice5& record) {
    spool::Device device;
    device.memory_bandwidth_kb_per_s = record.globalMemoryBandwidth;
    device.memory = record.globalMemorySize;
    device.device = record.id;
    device.name = spool_.intern(record.name);
    device.capability_major = record.computeCapabilityMajor;
    device.capability_minor = record.computeCapabilityMinor;
    device.multiprocessors = record.numMultiprocessors;
    device.threads_per_multiprocessor = record.maxWarpsPerMultiprocessor * record.numThreadsPerWarp;
    device.blocks_per_multiprocessor = record.maxBlocksPerMultiprocessor;
    device.registers_per_multiprocessor = record.maxRegistersPerMultiprocessor;
    device.shared_memory_per_multiprocessor = record.maxSharedMemoryPerMultiprocessor;
    device.shared_memory_per_block = record.maxSharedMemoryPerBlock;
    device.async_engines = record.numMemcpyEngines;
    device.l2_cache = record.l2CacheSize;
    device.core_clock_khz = record.coreClockRate;
    spool_.append(device);
}

void Decoder::decode_memory(const CUpti_ActivityMemory4& record) {
    spool::MemoryOperation memory;
    memory.time = record.timestamp;
    memory.address = record.address;
    memory.bytes = record.bytes;
    memory.correlation = record.correlationId;
    memory.process = record.processId;
    memory.kind = memory_kind(record.memoryKind);
    memory.release =
        record.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE ? 1 : 0;
    memory.asynchronous = record.isAsync != 0 ? 1 : 0;
    spool_.append(memory);
}

void Decoder::decode_overhead(const CUpti_ActivityOverhead3& record) {
    spool::Overhead overhead;
    overhead.start = record.start;
    overhead.end = record.end;
    overhead.kind = static_cast<std::uint32_t>(overhead_kind(record.overheadKind));
    if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) {
        overhead.thread = record.objectId.pt.threadId;
    }
    if (has_times(overhead.start, overhead.end)) {
        spool_.append(overhead);
    }
}

void Decoder::decode_marker(const CUpti_ActivityMarker2& record) {
    const auto flags = static_cast<std::uint32_t>(record.flags);
    const bool starts = (flags & CUPTI_ACTIVITY_FLAG_MARKER_START) != 0;
    const bool ends = (flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0;
    if (!starts && !ends) {
        return;  // an instantaneous mark is no range
    }
    spool::Marker marker;
    marker.time = record.timestamp;
    marker.id = record.id;
    marker.edge = starts ? spool::MarkerEdge::start : spool::MarkerEdge::end;
    marker.name = starts ? spool_.intern(record.name) : 0;
    marker.process = record.objectId.pt.processId;
    marker.thread = record.objectId.pt.threadId;
    spool_.append(marker);
}

std::uint32_t Decoder::api_name(CUpti_CallbackDomain domain, std::uint32_t cbid) {
    auto& known = domain == CUPTI_CB_DOMAIN_DRIVER_API ? driver_names_ : runtime_names_;
    constexpr std::uint32_t kMaxCbid = 1U << 16U;
    if (cbid >= kMaxCbid) {
        return 0;
    }
    if (cbid >= known.size()) {
        known.resize(cbid + std::size_t{1}, 0);
    }
    if (known[cbid] == 0) {
        const char* const name = names_(domain, cbid);
        known[cbid] = name == nullptr ? 0 : spool_.intern(without_abi_suffix(name));
    }
    return known[cbid];
}

bool Decoder::has_times(std::uint64_t start, std::uint64_t end) {
    if (start != 0 && end != 0) {
        return true;
    }
    ++zero_timestamps_;
    return false;
}

}  // namespace overcast::injection
