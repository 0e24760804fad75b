// Between which times another run will lie (docs/model.md#intervals).
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/prediction.hpp"
#include "core/workload.hpp"
#include "forecast/predict.hpp"
#include "model/device_model.hpp"
#include "model/uncertainty.hpp"
#include "simulator/rules.hpp"
#include "workload/scatter.hpp"

#include <array>
#include <optional>
#include <vector>

namespace overcast {

/// An interval, and what it comes from.
struct IntervalEstimate {
    WallInterval interval;
    /// What contributes most; absent where the rules themselves do.
    std::optional<Cause> main_cause;
};

/// High end less low end, relative to the prediction.
double relative_width(const WallInterval& interval, Duration wall);

/// Plays a configuration once more for each end of each cause: w_c+ and w_c- beside the predicted
/// w. Causes are independent, and so are the rules' own errors (r, relative):
///   high = w exp(sqrt(r^2 + sum over c of max(0, ln(w_c+ / w), ln(w_c- / w))^2)),
/// low the same with the signs turned. Exact where one cause matters and the wall time rises (or
/// falls) with it; to first order where several do.
class IntervalEstimator {
public:
    /// `model`: with the gaps of the trace, `measured_gaps`, in it already. All are kept by
    /// reference.
    IntervalEstimator(const Workload& recorded, const DeviceModel& model,
                      const OverheadParameters& measured_gaps, const Rules& rules);

    /// Wall time with each cause at its slower and at its faster end, by cause; of a cause that
    /// cannot matter, the wall time itself (`wall`).
    [[nodiscard]] std::vector<std::array<Duration, 2>> walls_at_ends(const Workload& played,
                                                                     Duration wall) const;

    /// Relative error of the rules themselves, by what limits the run; of a chain, by what it
    /// consists of. `played` is what the prediction is of.
    [[nodiscard]] double rules_error(const PlayedConfiguration& played,
                                     const Prediction& prediction) const;

    /// `played`: made of the recorded workload. `prediction`: its wall time, streams and bound.
    [[nodiscard]] IntervalEstimate estimate(const PlayedConfiguration& played,
                                            const Prediction& prediction) const;

private:
    /// What one cause at one end changes.
    struct End {
        DeviceModel model;
        RunFactors factors;
    };

    [[nodiscard]] const End& end(Cause cause, Pace pace) const {
        return ends_[static_cast<std::size_t>(cause)][static_cast<std::size_t>(pace)];
    }
    [[nodiscard]] Duration wall_at(const Workload& played, Cause cause, Pace pace) const;

    const DeviceModel& model_;
    const Rules& rules_;
    TraceScatter scatter_;
    std::vector<std::array<End, 2>> ends_;  ///< by cause
};

}  // namespace overcast
