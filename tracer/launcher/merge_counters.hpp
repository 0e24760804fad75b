// Counters of a second run into the trace of the first.
#pragma once

#include "core/trace.hpp"
#include "core/warning.hpp"

#include <cstddef>

namespace overcast {

struct MergedCounters {
    std::size_t kernels = 0;              ///< of the trace, that have counters now
    std::uint64_t measured_launches = 0;  ///< from which they come
    Warnings warnings;                    ///< where the two runs do not look like the same program
};

/// Gives `trace` the counters of `counted` for the kernels that both runs launched, told by name,
/// grid, block and dynamic shared memory. Older counters of the same kernel are replaced.
MergedCounters merge_counters(const Trace& counted, Trace& trace);

}  // namespace overcast
