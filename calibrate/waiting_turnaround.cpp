// What waiting channels add between two copies of one engine.
#include "calibrate/chain_period.hpp"
#include "calibrate/measurements.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/rising_fit.hpp"

#include <fmt/format.h>

#include <map>

namespace overcast {
namespace {

/// The probe's x: waiting channels * this + KiB of a copy.
constexpr double kPerChannel = 10'000;

double turnaround_period(const ProbeOutput& output, const std::string& chain, double x) {
    return further_period(output, chain, x, kFurtherCopies);
}

/// By waiting channels, the mean over the sizes: it is a time between copies, not a share of them.
std::vector<DataPoint> growth(const ProbeOutput& output, const std::string& chain) {
    std::map<double, std::vector<double>> added;
    for (const double x : output.xs(chain + "_many")) {
        const double waiting = std::floor(x / kPerChannel);
        const double alone = std::fmod(x, kPerChannel);
        added[waiting].push_back(turnaround_period(output, chain, x) -
                                 turnaround_period(output, chain, alone));
    }
    std::vector<DataPoint> points;
    for (const auto& [waiting, of_sizes] : added) {
        points.push_back({waiting, fit_mean(of_sizes).value});
    }
    return points;
}

}  // namespace

void measure_waiting_turnaround(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("waiting_turnaround", ProbeMode::untraced).output;
    const auto set = [&](const std::string& direction, Curve& place) {
        draft.set_curve(direction + ".turnaround_growth_ns_by_waiting_channels", place,
                        fit_rising_delays_ns(growth(output, "turnaround_" + direction)),
                        "probe waiting_turnaround, untraced: wall time per copy of a chain while "
                        "a kernel waits for a copy in each of w compute channels, less that of "
                        "the chain alone; mean over 64 KiB to 1 MiB, rising fit");
    };
    set("h2d", draft.model.h2d.turnaround_growth_ns);
    set("d2h", draft.model.d2h.turnaround_growth_ns);
}

}  // namespace overcast
