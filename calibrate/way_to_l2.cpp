// What one SM can send to the L2.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/unit_demand.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace overcast {
namespace {

/// Of the blocks, ns for each line that is written.
std::vector<double> line_times(const ProbeOutput& output, const std::string& quantity) {
    const auto blocks = output.xs(quantity);
    if (blocks.empty()) {
        throw ModelFileError("the probe way_to_l2 brought no times of " + quantity);
    }
    return output.at(quantity, blocks.front());
}

}  // namespace

/// A line that is written takes all of the way for as long as it takes where nothing else is sent;
/// what it takes longer beside reads, the request of the line that is read does.
void measure_way_to_l2(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("way_to_l2", ProbeMode::untraced).output;
    auto rates = line_times(output, "way_to_l2_written");
    std::ranges::transform(rates, rates.begin(), [](double ns) { return kL1Line / ns; });
    const auto sent = fit_median(rates);
    auto per_load = line_times(output, "way_to_l2_rewritten");
    std::ranges::transform(per_load, per_load.begin(),
                           [&](double ns) { return std::max(0.0, ns * sent.value - kL1Line); });
    auto& capacities = draft.model.kernels.capacities;
    draft.set("kernel.l2_path.sent_bytes_per_ns", capacities.l2_path_sent, sent,
              "probe way_to_l2, untraced: lines that an SM writes to the L2, eight SMs at once");
    draft.set("kernel.l2_path.sent_bytes_per_load", capacities.l2_path_sent_per_load,
              fit_median(per_load),
              "the same where it reads as many lines: what takes longer, in bytes per line read");
}

}  // namespace overcast
