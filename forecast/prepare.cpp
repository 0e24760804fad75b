#include "forecast/prepare.hpp"

#include "forecast/replay.hpp"
#include "forecast/slow_copies.hpp"

namespace overcast {
namespace {

void replace_gaps(OverheadParameters& measured, const OverheadParameters& overrides) {
    for (std::size_t i = 0; i < kGapKinds; ++i) {
        if (overrides.gaps[i]) {
            measured.gaps[i] = overrides.gaps[i];
        }
    }
}

}  // namespace

PreparedTrace prepare(const Trace& trace, const DeviceModel& model, const PrepareOptions& options) {
    PreparedTrace result{extract(trace, tracing_cost_of(trace, model), options.extract), model};
    auto& [extraction, fitted] = result;
    replace_gaps(extraction.overheads, options.overhead_overrides);
    if (options.max_connections) {
        extraction.workload.max_connections = options.max_connections;
    }
    find_units(extraction.workload, options.unit);
    warn_of_slow_copies(extraction.workload, model);
    if (options.extract.as_recorded) {
        fitted = fitted_to(model, extraction);
    } else {
        apply_overheads(fitted, extraction.overheads);
    }
    apply(options.what_if, extraction, fitted);
    if (options.what_if.other_device) {
        apply_overheads(fitted, options.overhead_overrides);  // what was asked for holds there too
    }
    return result;
}

}  // namespace overcast
