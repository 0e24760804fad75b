// How far apart SMs lose the blocks of a kernel that waits for memory.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <string>
#include <vector>

namespace overcast {

namespace {

Estimate median_of_ends(const ProbeOutput& output, const char* quantity) {
    const auto xs = output.xs(quantity);
    if (xs.empty()) {
        throw ModelFileError(std::string{"the probe sm_ends brought no times of "} + quantity);
    }
    return fit_median(output.at(quantity, xs.front()));
}

}  // namespace

/// Chains and streams count alike: the median of two is their mean.
void measure_sm_ends(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("sm_ends", ProbeMode::untraced).output;
    const std::vector<double> medians{median_of_ends(output, "sm_ends_chains").value,
                                      median_of_ends(output, "sm_ends_stream").value};
    draft.set("kernel.ends_apart", draft.model.kernels.ends_apart, fit_median(medians),
              "probe sm_ends, untraced: when SMs lost the blocks of chains of loads and of a "
              "stream, both from the DRAM, the first fifth of the SMs left out");
    draft.set("kernel.ends_mixed", draft.model.kernels.ends_mixed,
              median_of_ends(output, "sm_ends_mixed"),
              "probe sm_ends, untraced: when the last blocks of an SM ended of a stream from the "
              "DRAM in six waves of blocks of 256 threads");
}

}  // namespace overcast
