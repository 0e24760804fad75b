// How much of a recorded call passes after the device has heard of its work.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

constexpr std::string_view kPrefix = "cold_";

/// Medians of the calls of one phase: how long they take, and from their return to the start of
/// their work on an idle device.
DataPoint medians_of(const std::vector<PhaseActivity>& activities) {
    std::vector<double> calls;
    std::vector<double> starts;
    for (const auto& one : activities) {
        calls.push_back(nanoseconds(one.returned - one.issued));
        starts.push_back(nanoseconds(one.start - one.returned));
    }
    return {fit_median(calls).value, fit_median(starts).value};
}

/// One kind of work, a point for each temperature of the caches.
std::vector<DataPoint> points_of(const ProbeRun& run, char kind) {
    std::vector<DataPoint> points;
    for (const auto& phase : run.phases) {
        if (phase.label.quantity == std::string{kPrefix} + kind) {
            if (const auto work = phase.of(kind_of(kind)); !work.empty()) {
                points.push_back(medians_of(work));
            }
        }
    }
    return points;
}

/// So that kinds, whose work starts sooner or later, can lie on one line through the origin.
std::vector<DataPoint> from_their_median(std::vector<DataPoint> points) {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const auto& [x, y] : points) {
        xs.push_back(x);
        ys.push_back(y);
    }
    const DataPoint middle{fit_median(xs).value, fit_median(ys).value};
    for (auto& point : points) {
        point.x -= middle.x;
        point.y = middle.y - point.y;
    }
    return points;
}

}  // namespace

void measure_cold_calls(const ProbeRuns& runs, Draft& draft) {
    std::vector<DataPoint> all;
    for (const auto& run : runs.all("cold_calls", ProbeMode::full)) {
        for (const char kind : {'h', 'd', 'k'}) {
            const auto points = points_of(run, kind);
            if (points.size() < 2) {
                throw ModelFileError("the probe cold_calls measured too few calls");
            }
            const auto moved = from_their_median(points);
            all.insert(all.end(), moved.begin(), moved.end());
        }
    }
    if (all.empty()) {
        throw ProbeDidNotRun("the probe cold_calls did not run");
    }
    draft.set("tracing.share_of_call_after_work", draft.model.tracing_cost.traced.share_after_work,
              fit_through_origin(all),
              "probe cold_calls, traced: by how much sooner after the return of a call its work "
              "starts on an idle device, per time that the call takes; copies to the device, to "
              "the host and kernels, with more or less of the host's caches lost");
}

}  // namespace overcast
