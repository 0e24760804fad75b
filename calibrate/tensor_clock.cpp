// How much slower SMs are while tensor cores work, on them or on others.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

bool is_of(const PhaseActivity& activity, std::string_view function) {
    return activity.name.find(function) != std::string_view::npos;
}

/// Durations of what a phase measures, each within one of the kernels that use tensor cores where
/// `beside`. Throws ModelFileError where there is none.
std::vector<double> durations_of(const ProbeRun& run, const std::string& quantity, bool beside) {
    std::vector<PhaseActivity> kernels;
    for (const auto& phase : run.phases) {
        if (phase.label.quantity == quantity) {
            kernels = phase.of(ActivityKind::kernel);
        }
    }
    std::vector<PhaseActivity> tensor;
    std::ranges::copy_if(kernels, std::back_inserter(tensor), [](const PhaseActivity& kernel) {
        return is_of(kernel, "multiply_matrices");
    });
    std::erase_if(kernels, [&](const PhaseActivity& kernel) {
        const bool within = std::ranges::any_of(tensor, [&](const PhaseActivity& other) {
            return other.start < kernel.start && kernel.end < other.end;
        });
        return is_of(kernel, "spin") || is_of(kernel, "multiply_matrices") || within != beside;
    });
    if (kernels.empty()) {
        throw ModelFileError("the probe tensor_clock brought no kernels of " + quantity);
    }
    return durations_ns(kernels, 0);
}

/// How much longer it takes beside tensor cores.
Estimate factor(const ProbeRun& run, const std::string& kind) {
    const auto alone = fit_median(durations_of(run, "tensor_alone_" + kind, false)).value;
    auto beside = durations_of(run, "tensor_beside_" + kind, true);
    std::ranges::transform(beside, beside.begin(), [&](double each) { return each / alone; });
    return fit_median(beside);
}

}  // namespace

void measure_tensor_clock(const ProbeRuns& runs, Draft& draft) {
    const auto& run = runs.get("tensor_clock", ProbeMode::full);
    auto& kernels = draft.model.kernels;
    draft.set(
        "kernel.factor_beside_tensor", kernels.beside_tensor, factor(run, "arithmetic"),
        "probe tensor_clock, traced: chains of multiply-adds on half of the SMs, while tensor "
        "cores of others work, over alone");
    draft.set("kernel.load_factor_beside_tensor", kernels.load_beside_tensor, factor(run, "load"),
              "the same of chains of loads that find their data in the L2");
}

}  // namespace overcast
