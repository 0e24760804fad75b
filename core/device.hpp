// What one GPU is: the limits that decide how many blocks it holds.
#pragma once

#include "core/ids.hpp"
#include "core/units.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace overcast {

/// Limits of one device as the driver reports them. Absent = not recorded.
struct DeviceProperties {
    DeviceId id{};
    std::string name;
    std::optional<std::uint32_t> compute_capability_major;
    std::optional<std::uint32_t> compute_capability_minor;
    std::optional<std::uint32_t> multiprocessors;
    std::optional<std::uint32_t> threads_per_multiprocessor;
    std::optional<std::uint32_t> blocks_per_multiprocessor;
    std::optional<std::uint32_t> registers_per_multiprocessor;
    std::optional<Bytes> shared_memory_per_multiprocessor;
    std::optional<Bytes> shared_memory_per_block;  ///< the opt-in limit
    std::optional<std::uint32_t> async_engines;
    std::optional<Bytes> memory;
    std::optional<Bytes> l2_cache;
    std::optional<double> core_clock_khz;
    std::optional<double> memory_bandwidth_bytes_per_s;
    std::optional<std::uint32_t> pcie_generation;
    std::optional<std::uint32_t> pcie_width;
};

}  // namespace overcast
