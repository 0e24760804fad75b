// What a Trace holds, counted: the numbers behind `overcast show`.
#pragma once

#include "core/trace.hpp"
#include "core/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// One kind of device work: "H2D copy, pinned", "kernel", "memset".
struct KindStatistics {
    std::string kind;
    std::uint64_t count = 0;
    std::optional<Bytes> bytes;  ///< absent for kernels
    Duration total{};
    Duration median{};
};

/// Launches of one kernel with one shape.
struct KernelStatistics {
    NameId name{};
    KernelShape shape;
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
};

struct StreamStatistics {
    ContextId context{};
    StreamId stream{};
    StreamFlag flag{};
    std::optional<std::int32_t> priority;
    std::uint64_t count = 0;
    Duration busy{};
};

struct CallStatistics {
    NameId name{};
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
};

struct TraceStatistics {
    std::vector<KindStatistics> kinds;      ///< copies, memsets, kernels
    std::vector<KernelStatistics> kernels;  ///< the most total time first
    std::vector<StreamStatistics> streams;  ///< by context and number
    std::vector<CallStatistics> calls;      ///< the most total time first
    std::uint64_t device_operations = 0;
    /// First device start to last device end.
    Duration device_span{};
};

TraceStatistics statistics_of(const Trace& trace);

}  // namespace overcast
