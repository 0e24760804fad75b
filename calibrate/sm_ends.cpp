// How far apart SMs lose the blocks of a kernel that waits for memory.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <string>
#include <vector>

namespace overcast {

/// Chains and streams count alike: the median of two is their mean.
void measure_sm_ends(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("sm_ends", ProbeMode::untraced).output;
    std::vector<double> medians;
    for (const auto* const quantity : {"sm_ends_chains", "sm_ends_stream"}) {
        const auto sms = output.xs(quantity);
        if (sms.empty()) {
            throw ModelFileError(std::string{"the probe sm_ends brought no times of "} + quantity);
        }
        medians.push_back(fit_median(output.at(quantity, sms.front())).value);
    }
    draft.set("kernel.ends_apart", draft.model.kernels.ends_apart, fit_median(medians),
              "probe sm_ends, untraced: when SMs lost the blocks of chains of loads and of a "
              "stream, both from the DRAM, the first fifth of the SMs left out");
}

}  // namespace overcast
