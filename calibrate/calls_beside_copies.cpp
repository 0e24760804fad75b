// What a call that gives work to a compute channel costs the host more while a copy to the device
// is on the link.
#include "calibrate/measurements.hpp"
#include "model/calibration/median_fit.hpp"

#include <string>
#include <vector>

namespace overcast {
namespace {

/// As the probe calls_beside_copies prints it.
constexpr double kNothing = 0;
constexpr double kCopyToDevice = 1;

}  // namespace

void measure_calls_beside_copies(const ProbeRuns& runs, Draft& draft) {
    std::vector<double> more;
    for (const auto& run : runs.all("calls_beside_copies", ProbeMode::untraced)) {
        for (const std::string quantity : {"call_kernel_launch_beside", "call_memset_beside"}) {
            if (!run.output.xs(quantity).empty()) {
                more.push_back(run.output.median(quantity, kCopyToDevice) -
                               run.output.median(quantity, kNothing));
            }
        }
    }
    if (more.empty()) {
        throw ProbeDidNotRun("the probe calls_beside_copies measured no calls");
    }
    draft.set("host.kernel_call_beside_h2d_ns", draft.model.host.kernel_call_beside_h2d,
              fit_median(more),
              "probe calls_beside_copies, untraced: launches and memsets while a long copy to the "
              "device runs, less those beside nothing; median of processes");
}

}  // namespace overcast
