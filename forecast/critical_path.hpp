// The chain of operations, calls and waits that made a timeline as long as it is.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

/// One stretch of the critical path. Stretches follow each other without a hole; together they are
/// as long as the wall time.
struct PathStretch {
    enum class Kind : std::uint8_t {
        device,     ///< `operation` was on its engine
        gap,        ///< the engine was free, but `operation` not yet there: latency, or a gap
        call,       ///< the host was inside the call of `operation`
        host_time,  ///< the host's own time before that call
        wake_up,    ///< the call of `operation` returned so long after what it waited for
    };
    TimelineTime begin;
    TimelineTime end;
    std::uint32_t operation = 0;
    Kind kind{};
    /// device, gap: what `operation` waited for; none: for the host.
    WaitReason reason = WaitReason::none;
    /// Which operation that was.
    std::optional<std::uint32_t> waited_for;
};

/// From the end of the timeline back to its start, in order of time. The operation that was waited
/// for follows from the reasons in the timeline and the order of the workload: nothing is recorded
/// for it while simulating. Of measured timelines, which know no reasons, the latest end among what
/// an operation may have waited for is taken.
/// Near-linear in the number of operations.
std::vector<PathStretch> critical_path(const Workload& workload, const Timeline& timeline);

}  // namespace overcast
