// Host time of one call as it would be without the recorder.
#pragma once

#include "core/tracing_cost.hpp"
#include "workload/host_calls.hpp"

namespace overcast {

/// The entry of `costs` for calls of this meaning.
Duration cost_of(const CallCosts& costs, CallMeaning meaning);

/// What the recorder adds to each call of this meaning; never negative.
Duration tracing_share(const TracingCost& cost, CallMeaning meaning);

/// Untraced cost of a call that did not wait: `traced` less the recorder's share, at least half of
/// the nominal untraced cost (a call cannot be faster than the driver's path; half leaves room for
/// a model measured on a slower host), and never more than `traced`.
Duration untraced_cost(Duration traced, const TracingCost& cost, CallMeaning meaning);

}  // namespace overcast
