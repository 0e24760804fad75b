// The product's heart: Trace → units → transform → simulate → Prediction.
#pragma once

#include "core/prediction.hpp"
#include "core/timeline.hpp"
#include "core/trace.hpp"
#include "core/workload.hpp"
#include "forecast/prepare.hpp"
#include "model/device_model.hpp"
#include "simulator/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace overcast {

/// A configuration with more operations gets no interval (a warning says so): it is played up to
/// fourteen times more for it.
constexpr std::size_t kMostOperationsForIntervals = 20'000;

struct ForecastOptions : PrepareOptions {
    /// Absent: distribute where repeated units were found, replicate where not.
    std::optional<Transform> transform;
    /// Absent: defer, and keep for as-recorded.
    std::optional<SyncPolicy> sync;
    std::vector<std::uint32_t> streams{1, 2, 3, 4, 6, 8, 12, 16};
    std::vector<IssueOrder> orders{IssueOrder::depth, IssueOrder::breadth};
    std::optional<std::uint32_t> parts;  ///< absent: as many as streams
    SplitKernels split_kernels = SplitKernels::grid;
    Rules rules;
    bool intervals = true;  ///< of each configuration, up to kMostOperationsForIntervals
    /// Keep the best configuration's workload and timeline. It is played once more for that, so
    /// that no more played configurations are held than there are threads.
    bool play_best = true;
};

/// One configuration, played: what --timeline writes.
struct PlayedConfiguration {
    Workload workload;
    Timeline timeline;
};

struct Forecast {
    PredictionSweep sweep;
    PlayedConfiguration best;  ///< the timeline of sweep.best; empty unless `play_best`
};

/// Throws UsageError if an option does not fit the trace, Error if the trace cannot be predicted.
Forecast forecast(const Trace& trace, const DeviceModel& model, const ForecastOptions& options);

}  // namespace overcast
