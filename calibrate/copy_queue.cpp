// How many small copies of its channel a copy engine takes ahead of the one that runs.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/threshold_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace overcast {
namespace {

/// What the tries with rows of one size say: where the engine left, and where it did not.
std::vector<Decision> tries_of(const std::vector<ProbeRun>& runs, double bytes) {
    std::vector<Decision> left;
    for (const auto& run : runs) {
        for (const bool leaves : {false, true}) {
            const auto* quantity = leaves ? "queue_left" : "queue_stayed";
            for (const double copies : run.output.at(quantity, bytes)) {
                left.push_back({copies, leaves});
            }
        }
    }
    return left;
}

/// By size, how many copies before the last of a row one has to begin after the late copy could
/// have begun, so that the engine does not leave. Assumes: of larger copies no more are taken
/// ahead.
std::vector<DataPoint> copies_ahead(const ProbeRuns& runs, ProbeMode mode) {
    std::vector<DataPoint> points;
    for (const double bytes : runs.get("copy_queue", mode).output.xs("queue_left")) {
        auto tries = tries_of(runs.all("copy_queue", mode), bytes);
        if (!std::ranges::all_of(tries, &Decision::yes)) {
            const auto found = std::max(0.0, fit_threshold(std::move(tries)).value);
            points.push_back({bytes, points.empty() ? found : std::min(found, points.back().y)});
        }
    }
    if (points.size() < 2) {
        throw ModelFileError("the probe copy_queue saw the engine leave always, or never");
    }
    return points;
}

}  // namespace

void measure_copy_queue(const ProbeRuns& runs, Draft& draft) {
    const auto set = [&](const char* name, Curve& place, ProbeMode mode, const char* how) {
        draft.set_curve(name, place, copies_ahead(runs, mode),
                        fmt::format("probe copy_queue, {}: a row of copies to the host; one more "
                                    "behind it goes before what is ready in other channels if an "
                                    "idle engine could have begun it before the copy so many "
                                    "places ahead of the row's last began",
                                    how));
    };
    auto& look_ahead = draft.model.look_ahead;
    set("copy_engine.copies_ahead_by_bytes", look_ahead.copies_ahead, ProbeMode::untraced,
        "untraced");
    set("tracing.copies_ahead_by_bytes", look_ahead.recorded_copies_ahead, ProbeMode::full,
        "traced");
}

}  // namespace overcast
