// Whether the memory of the recorded program does for N streams.
#pragma once

#include "core/prediction.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <optional>

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

/// Workload::recorded_round of a workload that has its operations and `device_bytes`.
std::optional<Bytes> recorded_round(const Workload& workload);

/// Sets the device memory of `result`, which runs the recorded work `copies` times with all its
/// memory and has `more` beside. Warns where the GPU has less.
void set_device_memory(Workload& result, std::uint64_t copies, Bytes more);

}  // namespace overcast
