// Identities. Each is its own type, so that a stream cannot be passed for a channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace overcast {

// As recorded: the numbers that the driver or CUPTI gave.
enum class ProcessId : std::uint32_t {};
enum class ThreadId : std::uint64_t {};
enum class DeviceId : std::uint32_t {};
enum class ContextId : std::uint32_t {};
enum class StreamId : std::uint32_t {};
enum class ChannelId : std::uint32_t {};
enum class CorrelationId : std::uint64_t {};
enum class CudaEventId : std::uint32_t {};
/// Unique for each recording of an event: a wait names the very record that it waits for.
enum class EventSyncId : std::uint64_t {};
enum class GraphId : std::uint32_t {};
enum class GraphNodeId : std::uint64_t {};
enum class Address : std::uint64_t {};

// Indices into the tables of one Trace or one Workload.
enum class NameId : std::uint32_t {};
enum class KernelIndex : std::uint32_t {};
enum class StreamIndex : std::uint32_t {};
enum class BufferIndex : std::uint32_t {};
enum class BlockIndex : std::uint32_t {};
enum class EventIndex : std::uint32_t {};
enum class UnitIndex : std::uint32_t {};
enum class ThreadIndex : std::uint32_t {};

/// The number behind an id, for indexing and printing.
template <typename Id>
constexpr auto number(Id id) {
    return static_cast<std::underlying_type_t<Id>>(id);
}

template <typename Id>
constexpr std::size_t index(Id id) {
    return static_cast<std::size_t>(id);
}

}  // namespace overcast
