// Changes that the author of a recorded program could make: Workload → Workload, in place.
//
// The number and order of the operations stay, so that timelines of both can be set side by side: a
// call that is gone becomes one that does nothing and costs nothing. Each function says how many
// operations it changed.
#pragma once

#include "core/workload.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace overcast {

using OperationTest = std::function<bool(const Operation&)>;

/// Whether the host's side of a copy is pageable memory.
bool touches_pageable(const Copy& copy);

/// The host may leave such a copy to the device as soon as it is issued.
bool needs_no_host(const Copy& copy);

/// The last operation that puts work on the device; the number of operations where there is none.
std::size_t last_enqueuing(const Workload& workload);

/// The call is gone: its host time too, the thread's own time before it stays.
void remove_call(Operation& operation);

/// Removes the calls before the last enqueuing one for which `test` holds.
std::uint64_t remove_inner_calls(Workload& workload, const OperationTest& test);

/// Pageable copies become copies from or to pinned memory: priced by the device model, at the cost
/// of an asynchronous call, without the driver's staging on the host.
std::uint64_t pin_memory(Workload& workload);

/// Copies that wait although their memory does not need the host, and memsets that wait, return at
/// once.
std::uint64_t make_copies_asynchronous(Workload& workload);

/// Calls that give memory back no longer wait (cudaFreeAsync, or after the loop).
std::uint64_t release_without_waiting(Workload& workload);

/// All streams ignore the legacy default stream, and the reverse (per-thread default streams, or
/// cudaStreamNonBlocking).
std::uint64_t decouple_default_stream(Workload& workload);

/// Duration of each kernel whose name holds `name`, times `factor`.
std::uint64_t scale_kernels(Workload& workload, std::string_view name, double factor);

/// Neighbouring copies of one direction in one stream and one unit become one.
std::uint64_t merge_neighbouring_copies(Workload& workload, Bytes at_most_each);

/// Units are taken together, `group` at a time: one copy to the device before their kernels, one to
/// the host behind them. Only the copies of at most `at_most_each` bytes are merged. For work in
/// one stream.
std::uint64_t merge_units(Workload& workload, std::uint32_t group, Bytes at_most_each);

/// As under CUDA_LAUNCH_BLOCKING=1: the host waits after everything that it puts on the device.
/// The one change that adds operations.
void wait_after_each_launch(Workload& workload);

/// Host time of the launch of a graph of so many nodes.
using GraphLaunchCost = std::function<Duration(std::uint64_t nodes)>;

/// What a thread issues between two waits becomes one graph launch: the first call pays for all,
/// the others cost nothing. Time between two calls that is no longer than the call after it counts
/// as part of the loop that issues, and is gone too. Copies that hold the host stay calls of their
/// own.
/// Gives the number of calls that are gone.
std::uint64_t launch_as_graphs(Workload& workload, const GraphLaunchCost& cost);

}  // namespace overcast
