// What a kernel costs beside its blocks, and how many warps saturate an SM.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

namespace overcast {
namespace {

std::vector<DataPoint> medians_over_x(const ProbeOutput& output, const std::string& quantity) {
    std::vector<DataPoint> points;
    for (const double x : output.xs(quantity)) {
        points.push_back({x, output.median(quantity, x)});
    }
    return points;
}

void set_floor(const ProbeRuns& runs, Draft& draft) {
    for (const auto& phase : runs.get("host_waits", ProbeMode::full).phases) {
        if (phase.label.quantity == "empty") {
            draft.set("kernel.floor_ns", draft.model.kernels.floor,
                      fit_median(durations_ns(phase.of(ActivityKind::kernel), 2)),
                      "probe host_waits, traced duration of an empty kernel of one block");
        }
    }
}

}  // namespace

void measure_kernels(const ProbeRuns& runs, Draft& draft) {
    set_floor(runs, draft);
    const auto& output = runs.get("residency", ProbeMode::untraced).output;
    std::vector<double> limits;
    std::string words;
    for (const std::string work : {"multiply_add", "integers", "special"}) {
        const auto fit = fit_saturation(medians_over_x(output, "residency_" + work));
        limits.push_back(fit.value);
        words += fmt::format("{}{} {:.1f}", words.empty() ? "" : ", ", work, fit.value);
    }
    auto estimate = fit_mean(limits);
    draft.set("kernel.saturating_warps", draft.model.kernels.saturating_warps, estimate,
              "probe residency, untraced, mean over kinds of work: " + words);
}

}  // namespace overcast
