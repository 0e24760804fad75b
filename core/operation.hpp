// One step of a Workload: a call that a host thread makes, and what it sets in motion.
#pragma once

#include "core/ids.hpp"
#include "core/operation_kinds.hpp"
#include "core/units.hpp"

#include <cstdint>
#include <optional>
#include <variant>

namespace overcast {

/// How long a step took when nothing else ran, and for how many bytes (copies, memsets) or blocks
/// (kernels). A transform may change the amount; the model then scales the duration.
struct Measured {
    Duration duration{};
    std::uint64_t amount = 0;

    bool operator==(const Measured&) const = default;
};

struct Copy {
    CopyKind kind{};
    MemoryKind source{};
    MemoryKind destination{};
    bool asynchronous = true;  ///< false: the call returns when the copy is done
    /// From pageable memory, and all of it was in the driver's buffer when the call returned,
    /// before the copy began: the call does not wait for it.
    bool buffered = false;
    /// When it was measured it travelled inside the command stream; absent: not known.
    std::optional<bool> measured_inline;
    Bytes bytes;
    std::optional<Measured> measured;
    /// Of the measured duration, beside a copy in the other direction, which slowed it.
    Duration measured_in_duplex{};
    std::optional<BufferIndex> source_buffer;
    std::optional<BufferIndex> destination_buffer;
};

struct Memset {
    Bytes bytes;
    bool asynchronous = true;
    std::optional<Measured> measured;
    std::optional<BufferIndex> buffer;
};

struct KernelLaunch {
    KernelIndex kernel{};
    std::optional<Measured> measured;
};

/// Marks a point of its stream. Every recording has an EventIndex of its own.
struct EventRecord {
    EventIndex event{};
};

/// Its stream goes on when that very recording has been reached.
struct EventWait {
    EventIndex event{};
};

/// cudaLaunchHostFunc: runs on a driver thread, in stream order.
struct HostFunction {
    std::optional<Measured> measured;
};

/// The host thread waits until its stream is idle.
struct SynchroniseStream {};
/// The host thread waits until every stream is idle.
struct SynchroniseDevice {};
/// The host thread waits until that recording has been reached.
struct SynchroniseEvent {
    EventIndex event{};
};

/// Memory is given back; the call waits for the device (cudaFree, cudaFreeHost).
struct ReleaseMemory {};

/// Any other call: costs host time, and asks nothing of the device.
struct HostCall {
    /// cudaMalloc that maps new memory: returns after the copies to the device issued before it.
    bool after_copies_to_device = false;
};

using Action =
    std::variant<Copy, Memset, KernelLaunch, EventRecord, EventWait, HostFunction,
                 SynchroniseStream, SynchroniseDevice, SynchroniseEvent, ReleaseMemory, HostCall>;

/// A call that asks for a small block of device memory or gives it back. The driver maps memory by
/// granules, which such blocks share.
struct BlockUse {
    BlockIndex block{};
    bool release = false;
    /// The first block of a granule is asked for, or the last one given back: the granule is mapped
    /// or unmapped. Otherwise the driver changes its books alone.
    bool maps = false;
    /// False where a change of the program took the call's cost out.
    bool costs = true;
};

struct Operation {
    Duration host_before{};  ///< the thread's own time since its previous call returned
    Duration call_cost{};    ///< host time inside the call, untraced, without waiting
    Duration after_wait{};   ///< more of it, when what the call waited for is done
    NameId name{};           ///< of the API call
    ThreadIndex thread{};
    StreamIndex stream{};  ///< meaningless for SynchroniseDevice, ReleaseMemory, HostCall
    std::optional<UnitIndex> unit;
    std::optional<BlockUse> memory;
    Action action;
};

/// True for steps that put work on the device: copy, memset, kernel.
constexpr bool enqueues_work(const Action& action) {
    return std::holds_alternative<Copy>(action) || std::holds_alternative<Memset>(action) ||
           std::holds_alternative<KernelLaunch>(action);
}

/// True for steps in which the host thread waits for the device.
constexpr bool synchronises(const Action& action) {
    return std::holds_alternative<SynchroniseStream>(action) ||
           std::holds_alternative<SynchroniseDevice>(action) ||
           std::holds_alternative<SynchroniseEvent>(action);
}

}  // namespace overcast
