// How copies to the device slow down while channels wait (rule 6).
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/rising_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace overcast {
namespace {

/// By waiting channels: x = entries behind the head of each, y = share of the time lost.
using SlowDowns = std::map<double, std::vector<DataPoint>>;

/// Kernels that wait all for one copy or each for one of its own: a wait is no entry.
SlowDowns slow_downs(const ProbeOutput& output) {
    SlowDowns found;
    for (const auto* quantity : {"waiting_for_copy", "waiting_for_copies"}) {
        for (const double x : output.xs(quantity)) {
            const double channels = std::floor(x / 100);
            const double kernels = x - channels * 100;
            if (kernels > 0) {  // the first is the head
                const double alone = output.median(quantity, 0);
                found[channels].push_back({kernels - 1, output.median(quantity, x) / alone - 1});
            }
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

/// The slope of each number of channels: that of the middle process, for a process has one of two
/// from its start to its end.
void measure_copies_to_device(const std::vector<SlowDowns>& processes, Draft& draft) {
    SlowDowns pooled;
    for (const auto& found : processes) {
        for (const auto& [channels, points] : found) {
            pooled[channels].insert(pooled[channels].end(), points.begin(), points.end());
        }
    }
    const double most = most_entries(pooled);
    std::map<double, std::vector<double>> slopes;
    double worst = 0;
    std::size_t points = 0;
    for (const auto& found : processes) {
        for (const auto& [channels, measured] : found) {
            const auto cut = limited(measured, most);
            const auto slope = fit_through_origin(cut);
            slopes[channels].push_back(slope.low > 0 ? slope.value : 0);
            worst = std::max(worst, slope.residual);
            points += cut.size();
        }
    }
    std::vector<DataPoint> middle;
    for (const auto& [channels, of_processes] : slopes) {
        middle.push_back({channels, median_of(of_processes)});
    }
    const auto source = fmt::format(
        "probe waiting_slowdown, untraced: 16 MiB copies while kernels wait for copies of their "
        "stream; by channels a line through the origin, largest residual {:.2f} %; median of {} "
        "processes",
        worst * 100, processes.size());
    auto& place = draft.model.waiting_slowdown;
    draft.set_curve("h2d.slowdown_per_entry_by_waiting_channels", place.per_entry, middle, source);
    Estimate limit;
    limit.value = limit.low = limit.high = most;
    limit.points = points;
    draft.set("h2d.slowdown_most_entries", place.most_entries, limit,
              "probe waiting_slowdown: the limit that leaves the smallest residuals");
}

}  // namespace

void measure_waiting_slowdown(const ProbeRuns& runs, Draft& draft) {
    static_cast<void>(runs.get("waiting_slowdown", ProbeMode::untraced));  // or says why not
    std::vector<SlowDowns> processes;
    for (const auto& run : runs.all("waiting_slowdown", ProbeMode::untraced)) {
        if (auto found = slow_downs(run.output); !found.empty()) {
            processes.push_back(std::move(found));
        }
    }
    if (processes.empty()) {
        throw ModelFileError("no copy was measured while kernels waited");
    }
    measure_copies_to_device(processes, draft);
}

}  // namespace overcast
