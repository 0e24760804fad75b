// What wide loads find of issue slots that older warps fill.
#include "calibrate/measurements.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <algorithm>

namespace overcast {

/// Of what counters say that nobody reaches. Comes after the capacity of the issue slots.
void measure_full_pipe(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("full_pipe", ProbeMode::untraced).output;
    const auto older = output.xs("full_pipe_wide_loads");
    auto& kernels = draft.model.kernels;
    const auto not_reached = 1 - kernels.capacities[SmUnit::issue_slots];
    if (older.empty() || not_reached <= 0) {
        return;
    }
    const auto used = median_of(output.at("full_pipe_wide_loads", std::ranges::max(older)));
    draft.set("kernel.wide_loads_share", kernels.wide_loads_share,
              fit_median({std::min(1.0, used / not_reached)}),
              "probe full_pipe, untraced: issue slots that warps with four loads of 16 bytes per "
              "thread at once use beside eight older warps per scheduler that fill them, over what "
              "cannot be reached of these");
}

}  // namespace overcast
