// Host time of one call as it would be without the recorder.
#pragma once

#include "core/tracing_cost.hpp"
#include "workload/host_calls.hpp"

namespace overcast {

/// The entry of `costs` for calls of this meaning.
Duration cost_of(const CallCosts& costs, CallMeaning meaning);

/// What the recorder adds to each call of this meaning; never negative.
Duration tracing_share(const TracingCost& cost, CallMeaning meaning);

/// Untraced cost of a call that did not wait: `traced` less the recorder's share T - U, where T and
/// U are what such calls usually take with the recorder and without. One that took less than T was
/// made by a process that is faster altogether (they differ by up to half), so that it becomes
/// traced * U / T: driver and recorder are faster alike.
Duration untraced_cost(Duration traced, const TracingCost& cost, CallMeaning meaning);

}  // namespace overcast
