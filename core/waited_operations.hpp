// Which operation another one waited for, read off a Timeline.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace overcast {

/// For each entry of `timeline` the operation whose end (for SM room: whose blocks) let it start,
/// as far as the wait reason tells:
///
/// * stream order: the one before it in its stream;
/// * event: the last one before the recording of the event;
/// * default stream: of those on the other side of the legacy default stream the last to end;
/// * channel: the one before it in its hardware channel, which is of another stream;
/// * copy engine: the last copy of that engine to end before it;
/// * SM room: the kernel that started last before it, whose blocks are placed first.
///
/// Absent where it waited for nothing, or the reason is unknown. `timeline` must be of `workload`.
std::vector<std::optional<std::size_t>> waited_operations(const Workload& workload,
                                                          const Timeline& timeline);

}  // namespace overcast
