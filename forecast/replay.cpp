#include "forecast/replay.hpp"

#include "simulator/simulator.hpp"

#include <utility>

namespace overcast {
namespace {

/// The recorder's own time stays where it was: it is part of the run that is to be met.
TracingCost nothing_taken_out(const Trace& trace, const DeviceModel& model) {
    auto cost = tracing_cost_of(trace, model);
    cost.untraced = cost.traced;
    cost.device_gap = Duration{};
    return cost;
}

}  // namespace

Extraction recorded_run(const Trace& trace, const DeviceModel& model,
                        const ExtractOptions& options) {
    auto chosen = options;
    chosen.as_recorded = true;
    return extract(trace, nothing_taken_out(trace, model), chosen);
}

Replay replay(const Trace& trace, const DeviceModel& model, const ReplayOptions& options) {
    auto extraction = recorded_run(trace, model, options.extract);
    auto fitted = model;
    apply_overheads(fitted, extraction.overheads);
    apply_latencies(fitted, extraction.latencies);
    Replay result;
    result.workload = std::move(extraction.workload);
    result.recorded = std::move(extraction.measured);
    result.replayed = simulate(result.workload, fitted, options.rules);
    return result;
}

}  // namespace overcast
