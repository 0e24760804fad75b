// Whether the memory of the recorded program does for N streams.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

/// What private copies of memory are needed so that units on different streams do not disturb each
/// other.
struct SharedBuffers {
    std::uint64_t buffers = 0;
    Bytes device_bytes;  ///< of one set of them
    Bytes host_bytes;
};

/// Buffers that units on different streams write, where they are dealt as `configuration` says.
SharedBuffers shared_buffers(const Workload& workload, const Configuration& configuration);

/// A piece of device memory.
struct HeldMemory {
    Address address{};
    Bytes bytes;
};

/// Workload::round of a workload that has its operations, where the program holds so much. Where
/// the same part of each page of 2 MiB lies unused, as behind blocks of 1.5 MiB, the rest has less
/// room in the L2: with u_i bytes used of all pages in part i of n they go round
///   U (1 + n sum u_i^2 / U^2) / 2,   U = sum u_i.
/// Measured on an H200 with blocks of 1.5 MiB: 1.14 to 1.26 U, where this is 1.17.
std::optional<RoundMemory> round_memory(const Workload& workload,
                                        const std::vector<HeldMemory>& held);

/// Sets the device memory of `result`, which runs the recorded work `copies` times with all its
/// memory and has `more` beside. Warns where the GPU has less.
void set_device_memory(Workload& result, std::uint64_t copies, Bytes more);

}  // namespace overcast
