// What a kernel waits for behind the requests of others before its first block's loop and behind
// its last one's.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

constexpr std::string_view kArithmetic = "multiply_and_add";
constexpr std::string_view kOthers = "ask_for_memory";

/// Of the kernels so named, their median, ns. Throws ModelFileError where there are none.
double duration_ns(const Phase& phase, std::string_view name) {
    auto kernels = phase.of(ActivityKind::kernel);
    std::erase_if(kernels, [&](const PhaseActivity& kernel) {
        return kernel.name.find(name) == std::string_view::npos;
    });
    if (kernels.empty()) {
        throw ModelFileError("the probe late_ends brought no kernels of " + phase.label.quantity);
    }
    return fit_median(durations_ns(kernels)).value;
}

/// The phases of a quantity, by rising x.
std::vector<const Phase*> phases_of(const ProbeRun& run, const std::string& quantity) {
    std::vector<const Phase*> found;
    for (const auto& phase : run.phases) {
        if (phase.label.quantity == quantity) {
            found.push_back(&phase);
        }
    }
    std::ranges::sort(found, {}, [](const Phase* phase) { return phase->label.x; });
    return found;
}

/// What a kernel of no length takes longer beside these, ns: of two lengths, what the longer one
/// takes more beside than alone grows with it.
std::optional<double> longer_ns(const std::vector<const Phase*>& alone,
                                const std::vector<const Phase*>& beside) {
    if (alone.size() < 2 || beside.size() < 2) {
        return std::nullopt;
    }
    const std::array own{duration_ns(*alone.front(), kArithmetic),
                         duration_ns(*alone.back(), kArithmetic)};
    const std::array others{duration_ns(*beside.front(), kArithmetic),
                            duration_ns(*beside.back(), kArithmetic)};
    if (own[1] <= own[0]) {
        return std::nullopt;
    }
    const auto slower = (others[1] - others[0]) / (own[1] - own[0]);
    return others[0] - slower * own[0];
}

}  // namespace

void measure_late_ends(const ProbeRuns& runs, Draft& draft) {
    const auto& run = runs.get("late_ends", ProbeMode::full);
    const std::string prefix = "late_ends_full_";
    const auto alone = phases_of(run, "late_ends_alone");
    std::vector<double> requests;
    for (const auto& full : run.phases) {
        if (!full.label.quantity.starts_with(prefix)) {
            continue;
        }
        const auto kind = full.label.quantity.substr(prefix.size());
        const auto idle = phases_of(run, "late_ends_idle_" + kind);
        const auto longer = longer_ns(alone, phases_of(run, "late_ends_beside_" + kind));
        if (idle.empty() || !longer) {
            continue;
        }
        const auto more = duration_ns(full, kOthers) - duration_ns(*idle.front(), kOthers);
        if (more > 0) {
            requests.push_back(std::max(0.0, *longer) * full.label.x / more);
        }
    }
    if (requests.empty()) {
        throw ModelFileError("the probe late_ends brought no kernels beside others");
    }
    draft.set("kernel.requests_outside_loop", draft.model.kernels.requests_outside_loop,
              fit_median(requests),
              "probe late_ends, traced: what kernels of multiply-adds take longer beside others, "
              "whatever their length, over what requests of these wait; median of sweeps of the L2 "
              "and the DRAM and rewrites by 16, 32 and 48 warps per SM");
}

}  // namespace overcast
