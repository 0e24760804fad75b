#include "validate/baselines/add_baselines.hpp"

#include "validate/baselines/baseline.hpp"
#include "workload/extract.hpp"
#include "workload/units.hpp"

#include <algorithm>

namespace overcast {

void add_baselines(const Trace& trace, const DeviceModel& model, const ForecastOptions& options,
                   const std::vector<std::string>& names, PredictionSweep& sweep) {
    std::vector<const Baseline*> asked;
    for (const auto& name : names) {
        const auto* baseline = &find_baseline(name);
        if (std::ranges::find(asked, baseline) == asked.end()) {
            asked.push_back(baseline);
        }
    }
    if (asked.empty()) {
        return;
    }
    // forecast() gives up its recording as soon as it can: this is another one.
    auto recorded = extract(trace, tracing_cost_of(trace, model), options.extract);
    find_units(recorded.workload, options.unit);
    for (auto& prediction : sweep.predictions) {
        for (const auto* baseline : asked) {
            prediction.baselines.push_back({std::string{baseline->name},
                                            baseline->predict(recorded, prediction.configuration)});
        }
    }
}

}  // namespace overcast
