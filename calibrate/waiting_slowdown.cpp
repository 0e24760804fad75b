// How copies to the device slow down while compute channels wait (rule 6).
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/line_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace overcast {
namespace {

/// By waiting channels: x = entries behind the head of each, y = share of the time lost.
using SlowDowns = std::map<double, std::vector<DataPoint>>;

SlowDowns slow_downs(const ProbeOutput& output) {
    const std::string quantity = "waiting_for_copy";
    const double alone = output.median(quantity, 0);
    SlowDowns found;
    for (const double x : output.xs(quantity)) {
        const double channels = std::floor(x / 100);
        const double kernels = x - channels * 100;
        if (kernels > 0) {
            // The first kernel is the head; the wait that it brought is what it waits for.
            found[channels].push_back({kernels - 1, output.median(quantity, x) / alone - 1});
        }
    }
    return found;
}

std::vector<DataPoint> limited(std::vector<DataPoint> points, double most) {
    for (auto& point : points) {
        point.x = std::min(point.x, most);
    }
    return points;
}

double squares(const std::vector<DataPoint>& points, double slope) {
    double sum = 0;
    for (const auto& point : points) {
        const double distance = point.y - slope * point.x;
        sum += distance * distance;
    }
    return sum;
}

/// The number of entries beyond which nothing changes: the measured one that leaves the smallest
/// residuals.
double most_entries(const SlowDowns& found) {
    double best = 0;
    double least = std::numeric_limits<double>::max();
    for (const auto& candidate : found.rbegin()->second) {
        if (candidate.x <= 0) {
            continue;
        }
        double sum = 0;
        for (const auto& [channels, points] : found) {
            const auto cut = limited(points, candidate.x);
            sum += squares(cut, fit_through_origin(cut).value);
        }
        if (sum < least) {
            least = sum;
            best = candidate.x;
        }
    }
    return best;
}

}  // namespace

void measure_waiting_slowdown(const ProbeRuns& runs, Draft& draft) {
    const auto found = slow_downs(runs.get("waiting_slowdown", ProbeMode::untraced).output);
    if (found.empty()) {
        throw ModelFileError("no copy was measured while kernels waited");
    }
    const double most = most_entries(found);
    std::vector<DataPoint> slopes;
    double worst = 0;
    std::size_t points = 0;
    for (const auto& [channels, measured] : found) {
        const auto cut = limited(measured, most);
        const auto slope = fit_through_origin(cut);
        slopes.push_back({channels, slope.low > 0 ? slope.value : 0});
        worst = std::max(worst, slope.residual);
        points += cut.size();
    }
    const auto source = fmt::format(
        "probe waiting_slowdown, untraced: 16 MiB copies while kernels wait for a copy of their "
        "stream; by channels a line through the origin, largest residual {:.2f} %",
        worst * 100);
    auto& place = draft.model.waiting_slowdown;
    draft.set_curve("h2d.slowdown_per_entry_by_waiting_channels", place.per_entry, slopes, source);
    Estimate limit;
    limit.value = limit.low = limit.high = most;
    limit.points = points;
    draft.set("h2d.slowdown_most_entries", place.most_entries, limit,
              "probe waiting_slowdown: the limit that leaves the smallest residuals");
}

}  // namespace overcast
