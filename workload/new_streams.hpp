// The streams of a transformed program.
#pragma once

#include "core/workload.hpp"

#include <cstdint>
#include <vector>

namespace overcast {

/// Per stream of the workload: whether it is given a copy, a memset or a kernel.
std::vector<bool> streams_with_work(const Workload& workload);

/// `count` streams as the author of the recorded program would create them: non-blocking where all
/// its streams are (cudaStreamCreateWithFlags), else blocking (cudaStreamCreate; so also in place
/// of the legacy default stream); with its priority where there is only one.
std::vector<Stream> new_streams(const Workload& workload, std::uint32_t count);

}  // namespace overcast
