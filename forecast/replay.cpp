#include "forecast/replay.hpp"

#include "simulator/simulator.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace overcast {
namespace {

std::optional<Measured> measured_on_sms(const Action& action) {
    if (const auto* memset = std::get_if<Memset>(&action)) {
        return memset->measured;
    }
    const auto* launch = std::get_if<KernelLaunch>(&action);
    return launch != nullptr ? launch->measured : std::nullopt;
}

}  // namespace

Extraction recorded_run(const Trace& trace, const DeviceModel& model,
                        const ExtractOptions& options) {
    auto chosen = options;
    chosen.as_recorded = true;
    // The recorder's own time stays where it was: it is part of the run that is to be met.
    return extract(trace, tracing_cost_of(trace, with_recorder(trace, model)), chosen);
}

DeviceModel fitted_to(const DeviceModel& model, const Extraction& recording) {
    auto fitted = model;
    auto own = recording.overheads;
    for (auto& gap : own.gaps) {
        if (gap) {  // the same units meet the same moments again
            gap->p10 = gap->p90 = gap->median;
        }
    }
    apply_overheads(fitted, own);
    apply_latencies(fitted, recording.latencies);
    // Nothing that ran on the SMs can have taken less than the floor.
    for (const auto& operation : recording.workload.operations) {
        if (const auto measured = measured_on_sms(operation.action)) {
            fitted.kernels.floor = std::min(fitted.kernels.floor, measured->duration);
        }
    }
    return fitted;
}

Replay replay(const Trace& trace, const DeviceModel& model, const ReplayOptions& options) {
    auto extraction = recorded_run(trace, model, options.extract);
    const auto fitted = fitted_to(model, extraction);
    Replay result;
    result.workload = std::move(extraction.workload);
    result.recorded = std::move(extraction.measured);
    result.replayed = simulate(result.workload, fitted, options.rules);
    return result;
}

}  // namespace overcast
