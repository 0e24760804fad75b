// The words for memory and copies, shared by Trace and Workload.
#pragma once

#include "core/units.hpp"

#include <array>
#include <compare>
#include <cstdint>

namespace overcast {

enum class CopyKind : std::uint8_t {
    host_to_device,
    device_to_host,
    device_to_device,
    host_to_host,
    peer_to_peer,
};

enum class MemoryKind : std::uint8_t { unknown, pageable, pinned, device, array, managed };

/// Three extents, x fastest.
struct Extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    [[nodiscard]] constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    constexpr auto operator<=>(const Extent&) const = default;
};

/// What a kernel launch asks of an SM; everything that decides occupancy.
struct KernelShape {
    Extent grid;
    Extent block;
    Extent cluster;
    std::uint32_t registers_per_thread = 0;
    Bytes static_shared_memory;
    Bytes dynamic_shared_memory;
    /// The carve-out that the driver configured for this launch; 0 where it was not recorded.
    Bytes executed_shared_memory;

    constexpr auto operator<=>(const KernelShape&) const = default;
};

}  // namespace overcast
