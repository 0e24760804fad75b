#include "formats/nsys_enumerations.hpp"

namespace overcast {
namespace {

template <typename Value, std::size_t count>
using Enumerators = std::array<NsysEnumerator<Value>, count>;

constexpr NsysCopyKind copy(CopyKind kind) { return {.kind = kind, .is_migration = false}; }
constexpr NsysCopyKind migration(CopyKind kind) { return {.kind = kind, .is_migration = true}; }

// A is an array in device memory, UVM unified memory. ENUM_CUDA_MEMCPY_OPER, schema 3.25.
constexpr Enumerators<NsysCopyKind, 13> kCopies{
    {{"_UVM_HTOD", 11, migration(CopyKind::host_to_device)},
     {"_UVM_DTOH", 12, migration(CopyKind::device_to_host)},
     {"_UVM_DTOD", 13, migration(CopyKind::device_to_device)},
     {"_HTOD", 1, copy(CopyKind::host_to_device)},
     {"_DTOH", 2, copy(CopyKind::device_to_host)},
     {"_HTOA", 3, copy(CopyKind::host_to_device)},
     {"_ATOH", 4, copy(CopyKind::device_to_host)},
     {"_ATOA", 5, copy(CopyKind::device_to_device)},
     {"_ATOD", 6, copy(CopyKind::device_to_device)},
     {"_DTOA", 7, copy(CopyKind::device_to_device)},
     {"_DTOD", 8, copy(CopyKind::device_to_device)},
     {"_HTOH", 9, copy(CopyKind::host_to_host)},
     {"_PTOP", 10, copy(CopyKind::peer_to_peer)}}};

// Without a table, 4 and above mean different things in different versions: they stay unknown.
constexpr std::int64_t kNoUsualNumber = -1;
constexpr Enumerators<MemoryKind, 8> kMemory{
    {{"_DEVICE_STATIC", kNoUsualNumber, MemoryKind::device},
     {"_MANAGED_STATIC", kNoUsualNumber, MemoryKind::managed},
     {"_PAGEABLE", 0, MemoryKind::pageable},
     {"_PINNED", 1, MemoryKind::pinned},
     {"_DEVICE", 2, MemoryKind::device},
     {"_ARRAY", 3, MemoryKind::array},
     {"_MANAGED", kNoUsualNumber, MemoryKind::managed},
     {"_UNKNOWN", kNoUsualNumber, MemoryKind::unknown}}};

constexpr Enumerators<SynchronisationKind, 4> kSyncTypes{
    {{"_EVENT_SYNCHRONIZE", 1, SynchronisationKind::event},
     {"_STREAM_WAIT_EVENT", 2, SynchronisationKind::stream_wait_event},
     {"_STREAM_SYNCHRONIZE", 3, SynchronisationKind::stream},
     {"_CONTEXT_SYNCHRONIZE", 4, SynchronisationKind::context}}};

constexpr Enumerators<OverheadKind, 9> kOverheadTypes{
    {{"_UNKNOWN", 1, OverheadKind::unknown},
     {"_DRIVER_COMPILER", 2, OverheadKind::driver_compiler},
     {"_BUFFER_FLUSH", 3, OverheadKind::buffer_flush},
     {"_INSTRUMENTATION", 4, OverheadKind::instrumentation},
     {"_RESOURCE", 5, OverheadKind::resource},
     {"_MODULE_LOADING", 6, OverheadKind::module_loading},
     {"_LAZY_FUNCTION_LOADING", 7, OverheadKind::lazy_loading},
     {"_COMMAND_BUFFER_FULL", 8, OverheadKind::command_buffer_full},
     {"_ACTIVITY_BUFFER_REQUEST", 9, OverheadKind::buffer_request}}};

constexpr Enumerators<StreamFlag, 4> kStreams{{{"_NON_BLOCKING", 2, StreamFlag::non_blocking},
                                               {"_UNKNOWN", 0, StreamFlag::unknown},
                                               {"_DEFAULT", 1, StreamFlag::blocking},
                                               {"_NULL", 3, StreamFlag::legacy_default}}};

constexpr Enumerators<NsysRange, 4> kRanges{{{"NvtxPushPopRange", 59, NsysRange::push_pop},
                                             {"NvtxStartEndRange", 60, NsysRange::start_end},
                                             {"NvtxtPushPopRange", 70, NsysRange::push_pop},
                                             {"NvtxtStartEndRange", 71, NsysRange::start_end}}};

constexpr Enumerators<ApiDomain, 2> kCalls{
    {{"_CUDA_RUNTIME", 0, ApiDomain::runtime}, {"_CUDA_DRIVER", 1, ApiDomain::driver}}};

constexpr Enumerators<bool, 2> kReleases{{{"_DEALLOCATION", 1, true}, {"_ALLOCATION", 0, false}}};

constexpr Enumerators<bool, 2> kTroubles{{{"Warning", 2, true}, {"Error", 3, true}}};

}  // namespace

NsysEnumerations::NsysEnumerations(const SqliteDatabase& database)
    : copies{database, "ENUM_CUDA_MEMCPY_OPER", kCopies},
      memory{database, "ENUM_CUDA_MEM_KIND", kMemory},
      synchronisations{database, "ENUM_CUPTI_SYNC_TYPE", kSyncTypes},
      overheads{database, "ENUM_CUPTI_OVERHEAD_TYPE", kOverheadTypes},
      streams{database, "ENUM_CUPTI_STREAM_TYPE", kStreams},
      ranges{database, "ENUM_NSYS_EVENT_TYPE", kRanges},
      calls{database, "ENUM_NSYS_EVENT_CLASS", kCalls},
      releases{database, "ENUM_CUDA_DEV_MEM_EVENT_OPER", kReleases},
      troubles{database, "ENUM_DIAGNOSTIC_SEVERITY_LEVEL", kTroubles} {}

}  // namespace overcast
