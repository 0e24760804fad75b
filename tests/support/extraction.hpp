// Extraction in tests: round costs, and what a result warns of.
#pragma once

#include "core/tracing_cost.hpp"
#include "core/warning.hpp"
#include "tests/support/trace_builder.hpp"
#include "workload/extract.hpp"

#include <chrono>
#include <string_view>

namespace overcast::testing {

/// Recording adds 1 us to every call; a nominal untraced call takes 1 us, a wait 300 ns.
inline TracingCost round_cost() {
    using namespace std::chrono_literals;
    TracingCost cost;
    cost.untraced = {.kernel_launch = 1us,
                     .copy = 1us,
                     .memset = 1us,
                     .event_record = 100ns,
                     .event_wait = 100ns,
                     .synchronise = 300ns,
                     .host_function = 1us,
                     .other = 1us};
    cost.traced.calls = {.kernel_launch = 2us,
                         .copy = 2us,
                         .memset = 2us,
                         .event_record = 1100ns,
                         .event_wait = 1100ns,
                         .synchronise = 1300ns,
                         .host_function = 2us,
                         .other = 2us};
    cost.traced.gaps.fill(200ns);
    return cost;
}

/// The whole trace, with round costs.
inline Extraction extract_all(const TraceBuilder& trace) {
    return extract(trace.build(), round_cost(), {});
}

inline bool warns(const Warnings& warnings, std::string_view code) {
    for (const auto& warning : warnings) {
        if (warning.code == code) {
            return true;
        }
    }
    return false;
}

}  // namespace overcast::testing
