// What the recorded calls waited for, and what the recording shows of the time between host and
// device: parameters of the machine, never the waits themselves.
#pragma once

#include "core/host_latencies.hpp"
#include "core/trace.hpp"
#include "workload/issued_calls.hpp"
#include "workload/trace_part.hpp"

#include <map>
#include <vector>

namespace overcast {

/// Sets `awaited` of every call that waits for the device: synchronisation, release of memory,
/// copies that hold the host; of an allocation only if it is seen to have waited. `calls` are in
/// the order of their starts.
void find_awaited(const Trace& trace, const TracePart& part, const Joins& joins,
                  std::vector<IssuedCall>& calls);

/// Medians over the calls of the recording; absent where it has no such call.
HostLatencies observe_latencies(const Trace& trace, const TracePart& part, const Joins& joins,
                                const std::vector<IssuedCall>& calls);

/// Whether the call found what it waits for still under way.
bool waited(const IssuedCall& call);

/// Sets `own_work` of releases and allocations; what came after a wait is less `wake_up`, which is
/// the simulator's.
void find_own_work(Duration wake_up, std::vector<IssuedCall>& calls);

/// What a wait takes that finds nothing to wait for: the median by name.
std::map<NameId, Duration> idle_waits(const std::vector<IssuedCall>& calls);

}  // namespace overcast
