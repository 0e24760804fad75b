// Which SMs blocks in clusters can use, and on which of them others start while these wait.
#include "calibrate/measurements.hpp"
#include "core/statistics.hpp"
#include "model/calibration/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace overcast {
namespace {

constexpr double kPair = 2;  // blocks of clusters that can use every SM

}  // namespace

/// A GPU without clusters brings nothing, and keeps what the model has.
void measure_clusters(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("clusters", ProbeMode::untraced).output;
    std::vector<DataPoint> usable;
    for (const auto blocks : output.xs("clusters_multiprocessors")) {
        usable.push_back({blocks, output.at("clusters_multiprocessors", blocks).front()});
    }
    if (usable.empty()) {
        return;
    }
    auto& kernels = draft.model.kernels;
    draft.set_curve("kernel.cluster_multiprocessors_by_blocks", kernels.cluster_multiprocessors,
                    usable,
                    "cudaOccupancyMaxActiveClusters with blocks of which an SM holds one, times "
                    "the blocks of a cluster");
    std::vector<double> beside;
    for (const auto blocks : output.xs("clusters_beside")) {
        if (blocks > kPair) {
            beside.push_back(median_of(output.at("clusters_beside", blocks)));
        }
    }
    if (!beside.empty()) {
        draft.set_count("kernel.multiprocessors_beside_clusters", kernels.sms_beside_clusters,
                        static_cast<std::uint32_t>(std::lround(std::ranges::min(beside))),
                        "probe clusters, untraced: SMs on which small blocks start while clusters "
                        "of 3 to 16 blocks wait that were launched before");
    }
}

}  // namespace overcast
