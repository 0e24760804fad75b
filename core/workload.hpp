// Workload: what is to be executed. Operations per host thread and stream, host time between calls,
// dependencies. No device timestamps.
//
// It holds the region alone: from the first enqueuing call to the last synchronisation (or to the
// last enqueuing call where none follows). Stream order, event edges and the legacy default stream
// are the dependencies; there are no others.
#pragma once

#include "core/device.hpp"
#include "core/kernel_code.hpp"
#include "core/kernel_counters.hpp"
#include "core/names.hpp"
#include "core/operation.hpp"
#include "core/tracing_cost.hpp"
#include "core/warning.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace overcast {

/// The name of a call that the recording lacks.
constexpr std::string_view kCallNotRecorded = "(call not recorded)";

enum class StreamKind : std::uint8_t {
    blocking,        ///< waits for the legacy default stream, and the reverse
    non_blocking,    ///< cudaStreamNonBlocking
    legacy_default,  ///< stream 0 of a program that is not compiled for per-thread streams
};

struct Stream {
    StreamKind kind = StreamKind::blocking;
    std::int32_t priority = 0;         ///< lower number = served first, as in CUDA
    std::optional<StreamId> recorded;  ///< the stream of the trace that it came from
};

struct Kernel {
    NameId name{};
    KernelShape shape;
    /// Of the recorded shape, which a transform may have changed.
    std::optional<KernelCounters> counters = std::nullopt;
    std::optional<KernelCode> code = std::nullopt;
};

struct Buffer {
    MemoryKind kind{};
    Address address{};
    std::optional<Bytes> bytes;
};

/// Device memory smaller than a granule.
struct MemoryBlock {
    Address address{};
    Bytes bytes;
    bool resident = false;  ///< held before the first operation
};

/// What calls for small blocks of memory take, as far as the recording shows it.
struct MappingTimes {
    std::optional<Duration> map;               ///< an allocation, with no copies to wait for
    std::optional<Duration> map_after_copies;  ///< the part of it that follows the copies
    std::optional<Duration> allocate;          ///< in a granule that is mapped
    std::optional<Duration> unmap;             ///< a release, after its wait
    std::optional<Duration> release;           ///< of a block whose granule stays
};

/// Blocks that share granules, where the recording shows that the driver deals them as expected.
struct SharedGranules {
    std::vector<MemoryBlock> blocks;  ///< indexed by BlockIndex
    MappingTimes times;
};

/// Device memory in which kernels may find what earlier ones used: all that the program holds.
struct RoundMemory {
    Bytes recorded;  ///< on one stream
    Bytes now;       ///< of all replicas
};

/// An NVTX range as a stretch of the operation list: [begin, end).
struct OperationRange {
    NameId name{};
    ThreadIndex thread{};
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct StagingTime {
    std::uint32_t operation = 0;  ///< index into Workload::operations
    Duration time{};
};

struct Workload {
    DeviceProperties device;
    NameTable names;
    std::vector<Kernel> kernels;  ///< indexed by KernelIndex
    std::vector<Stream> streams;  ///< indexed by StreamIndex
    std::vector<Buffer> buffers;  ///< indexed by BufferIndex
    std::optional<SharedGranules> granules;
    std::uint32_t events = 0;   ///< EventIndex runs from 0 to events - 1
    std::uint32_t threads = 1;  ///< ThreadIndex runs from 0 to threads - 1
    std::uint32_t units = 0;    ///< UnitIndex runs from 0 to units - 1; 0 where none are known
    /// In issue order. Operations of one thread are made one after the other; those of several
    /// threads in parallel.
    std::vector<Operation> operations;
    std::vector<OperationRange> ranges;
    /// Host time before each operation if one thread made all calls: since the latest return of any
    /// thread. Empty where there is one thread.
    std::vector<Duration> merged_host_before;

    /// Host time in `host_before` of an operation that empties the driver's buffer of an earlier
    /// pageable copy: it would not be there with pinned memory. Of the recorded work alone.
    std::vector<StagingTime> staging;

    CallCosts call_costs;                ///< untraced; for calls that a transform adds
    std::uint32_t recorded_streams = 1;  ///< among which the recorded calls changed
    Duration setup{};                    ///< recorded before the region, not part of it
    std::optional<Bytes> device_bytes;   ///< device memory that the program holds at most
    /// Absent where copies or memsets fill it, so that kernels do not come back to it.
    std::optional<RoundMemory> round;
    std::optional<std::uint32_t> max_connections;  ///< CUDA_DEVICE_MAX_CONNECTIONS of the recording
    /// The recorded region was one pass of several: play it once unmeasured, so that the hardware
    /// channels are owned as in a later pass.
    bool warm = false;
    /// Recorded while several streams worked: durations hold what operations did to each other, and
    /// nothing slows them any further.
    bool contended = false;
    Warnings warnings;
};

}  // namespace overcast
