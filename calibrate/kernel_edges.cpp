// What neighbours of other streams find free of a kernel that fills the device.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

/// Of a phase, but those kernels that hold its streams back. Throws ModelFileError where there are
/// none.
std::vector<PhaseActivity> kernels_of(const ProbeRun& run, const std::string& quantity,
                                      const PhaseLabel& like) {
    const auto found = std::ranges::find_if(run.phases, [&](const Phase& phase) {
        return phase.label.quantity == quantity && phase.label.x == like.x &&
               phase.label.y == like.y;
    });
    auto kernels =
        found == run.phases.end() ? std::vector<PhaseActivity>{} : found->of(ActivityKind::kernel);
    std::erase_if(kernels, [](const PhaseActivity& kernel) {
        return kernel.name.find("spin") != std::string_view::npos;
    });
    if (kernels.empty()) {
        throw ModelFileError("the probe kernel_edges brought no kernels of " + quantity);
    }
    return kernels;
}

/// From the begin of the first to the end of the last.
double span_ns(const std::vector<PhaseActivity>& kernels) {
    const auto last = std::ranges::max_element(kernels, {}, &PhaseActivity::end);
    return nanoseconds(last->end - kernels.front().start);
}

}  // namespace

void measure_kernel_edges(const ProbeRuns& runs, Draft& draft) {
    const auto& run = runs.get("kernel_edges", ProbeMode::full);
    const auto floor = nanoseconds(draft.model.kernels.floor);
    const std::string prefix = "edges_alone_";
    std::vector<double> edges;
    for (const auto& phase : run.phases) {
        if (!phase.label.quantity.starts_with(prefix)) {
            continue;
        }
        const auto kind = phase.label.quantity.substr(prefix.size());
        const auto alone = durations_ns(kernels_of(run, phase.label.quantity, phase.label), 2);
        const auto few = kernels_of(run, "edges_few_" + kind, phase.label);
        const auto many = kernels_of(run, "edges_many_" + kind, phase.label);
        if (many.size() <= few.size()) {
            throw ModelFileError("the probe kernel_edges brought no more kernels of edges_many_" +
                                 kind + " than of edges_few_" + kind);
        }
        const auto more = static_cast<double>(many.size() - few.size());
        const auto among_others = (span_ns(many) - span_ns(few)) / more;
        edges.push_back(fit_median(alone).value - among_others - floor);
    }
    if (edges.empty()) {
        throw ModelFileError("the probe kernel_edges brought no kernels");
    }
    draft.set("kernel.edges_ns", draft.model.kernels.edges, fit_median(edges),
              "probe kernel_edges, traced: what kernels of whole waves that load take longer one "
              "after the other than among those of other streams, less kernel.floor_ns; median "
              "over kinds of loads, waves and lengths of blocks");
}

}  // namespace overcast
