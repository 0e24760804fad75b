// When a channel looks whether what its head waits for is done: at first, and again.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/threshold_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

/// Of two operations in a row: times in nanoseconds from the return of the later one's call.
struct Arrival {
    double end = 0;    ///< of the earlier one
    double start = 0;  ///< of the later one
};

std::vector<Arrival> arrivals(const std::vector<ProbeRun>& runs, std::string_view quantity) {
    std::vector<Arrival> found;
    for (const auto& run : runs) {
        for (const auto& phase : run.phases) {
            if (phase.label.quantity == quantity && phase.activities.size() == 2) {
                const auto& earlier = phase.activities[0];
                const auto& later = phase.activities[1];
                found.push_back({nanoseconds(earlier.end - later.returned),
                                 nanoseconds(later.start - later.returned)});
            }
        }
    }
    return found;
}

/// From the return of its call to the start of what waits for nothing.
double latency_of(const std::vector<Arrival>& arrivals, std::string_view quantity) {
    constexpr double kLongAgo = -2'000;
    std::vector<double> starts;
    for (const auto& [end, start] : arrivals) {
        if (end < kLongAgo) {
            starts.push_back(start);
        }
    }
    if (starts.empty()) {
        throw ModelFileError(fmt::format("the probe copy_decisions measured no {}", quantity));
    }
    return fit_median(starts).value;
}

/// Later than the end of the earlier one, and than it would have started anyway, explains.
bool waited(const Arrival& arrival, double latency) {
    constexpr double kMoreThanScatter = 1'500;
    return arrival.start > std::max(latency, arrival.end) + kMoreThanScatter;
}

/// Until when the earlier operation has to end, so that the later one does not wait.
std::vector<Decision> decisions(const std::vector<Arrival>& arrivals, double latency) {
    constexpr double kRange = 5'000;  // beyond, a channel looks for the second time
    std::vector<Decision> made;
    for (const auto& arrival : arrivals) {
        if (std::abs(arrival.end) < kRange) {
            made.push_back({arrival.end, !waited(arrival, latency)});
        }
    }
    return made;
}

/// How much the starts of those that waited agree, modulo a period: 0 (not at all) to 1.
double agreement(const std::vector<double>& starts, double period) {
    std::complex<double> sum;
    for (const double start : starts) {
        sum += std::polar(1.0, 2 * std::numbers::pi * start / period);
    }
    return std::abs(sum) / static_cast<double>(starts.size());
}

/// The longest period, in nanoseconds, by which the starts of those that waited agree.
std::optional<double> period_of(const std::vector<Arrival>& arrivals, double latency) {
    constexpr double kShortest = 2'000;
    constexpr double kLongest = 16'000;
    constexpr double kStep = 20;
    constexpr double kAgrees = 0.8;  // half a period agrees as well, twice the period does not
    std::vector<double> starts;
    for (const auto& arrival : arrivals) {
        if (waited(arrival, latency)) {
            starts.push_back(arrival.start - latency);
        }
    }
    std::optional<double> found;
    double best = kAgrees;
    for (double period = kLongest; !starts.empty() && period >= kShortest; period -= kStep) {
        if (const double agrees = agreement(starts, period); agrees > best) {
            best = agrees;
            found = period;
        } else if (found && agrees < kAgrees) {
            break;  // what follows are its fractions
        }
    }
    return found;
}

}  // namespace

void measure_copy_decisions(const ProbeRuns& runs, Draft& draft) {
    const auto& all = runs.all("copy_decisions", ProbeMode::full);
    if (all.empty()) {
        throw ProbeDidNotRun("the probe copy_decisions did not run");
    }
    struct Row {
        GapKind kind;
        std::vector<std::string_view> quantities;
        Duration CallCosts::*call;
    };
    const Row rows[] = {
        {GapKind::kernel_to_d2h, {"arrival_kh", "arrival_kd"}, &CallCosts::copy},
        {GapKind::d2h_to_h2d, {"arrival_dh"}, &CallCosts::copy},
        {GapKind::h2d_to_kernel, {"arrival_hk"}, &CallCosts::kernel_launch},
    };
    Observation periods{"gap.looks_again_ns_by_pair", {}, {}};
    double pair = 0;
    for (const auto& [kind, quantities, call] : rows) {
        std::vector<Decision> made;
        for (const auto quantity : quantities) {
            const auto found = arrivals(all, quantity);
            const double latency = latency_of(found, quantity);
            const auto some = decisions(found, latency);
            made.insert(made.end(), some.begin(), some.end());
            if (const auto period = period_of(found, latency)) {
                periods.points.emplace_back(
                    pair,
                    Estimate{
                        .value = *period, .low = *period, .high = *period, .points = found.size()});
            }
            ++pair;
        }
        auto late = fit_threshold(made);
        const double after = nanoseconds(added_after_work(draft.model.tracing_cost, call));
        for (auto* part : {&late.value, &late.low, &late.high}) {
            *part += after;
        }
        draft.set(fmt::format("gap.{}_late_arrival_ns", overhead_name(kind)),
                  draft.model.gaps.late_arrival[static_cast<std::size_t>(kind)].emplace(), late,
                  fmt::format("probe copy_decisions, traced: the earlier operation ends so long "
                              "after the return of the later one's call, and that one does not "
                              "wait; {:.0f} ns (half of what recording adds to the call) included",
                              after));
    }
    periods.source =
        "probe copy_decisions, traced: a channel that found its head waiting looks again after so "
        "long (kernel then copy to the device, kernel then copy to the host, copy to the host then "
        "to the device, copy to the device then kernel)";
    if (!periods.points.empty()) {
        draft.observe(std::move(periods));
    }
}

}  // namespace overcast
