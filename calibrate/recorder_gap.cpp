// What a recorder adds to gaps while copies to the device are on the link: a recorded operation
// brings more commands than an unrecorded one, and a channel reads them over that link.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

/// Between the end of one small copy to the host and the start of the next, while a large one to
/// the device is on the link.
std::vector<double> gaps_beside_h2d(const std::vector<Phase>& phases) {
    std::vector<double> gaps;
    for (const auto& phase : phases) {
        if (phase.label.quantity != "duplex_small_d2h") {
            continue;
        }
        const auto large = phase.of(ActivityKind::h2d);
        const auto small = phase.of(ActivityKind::d2h);
        for (std::size_t i = 1; i < small.size(); ++i) {
            const auto from = small[i - 1].end;
            const auto to = small[i].start;
            if (std::ranges::any_of(
                    large, [&](const auto& copy) { return copy.start < from && to < copy.end; })) {
                gaps.push_back(nanoseconds(to - from));
            }
        }
    }
    return gaps;
}

}  // namespace

void measure_recorder_gap(const ProbeRuns& runs, Draft& draft) {
    const auto gaps = gaps_beside_h2d(runs.get("duplex", ProbeMode::full).phases);
    if (gaps.empty()) {
        throw ModelFileError("no copies to the host followed each other beside one to the device");
    }
    auto& recorder = draft.model.tracing_cost.traced;
    const auto alone = nanoseconds(draft.model.d2h.turnaround_same +
                                   recorder.gaps[static_cast<std::size_t>(GapKind::d2h_to_d2h)]);
    draft.set("tracing.gap_beside_h2d_ns", recorder.gap_beside_h2d,
              without(fit_median(gaps), alone),
              fmt::format("probe duplex, traced: gap between copies to the host beside a larger "
                          "one to the device, less the {:.0f} ns of one alone; taken for all gaps",
                          alone));
}

}  // namespace overcast
