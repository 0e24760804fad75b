// What loads take whose data goes round the L2, from one half of the chip and from both.
#include "model/l2_halves.hpp"
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace overcast {
namespace {

/// Relative. Assumes: what differs less is one and the same.
constexpr double kAlike = 0.02;
/// Of kernels that differ in what they find. Assumes: a program waits for the slower ones.
constexpr std::size_t kSlow = 90;

/// How much of the way from one half to both the loads have gone, rising over the SMs in use.
std::vector<DataPoint> way_to_both(const ProbeOutput& output) {
    constexpr auto kQuantity = "l2_round_by_multiprocessors";
    const auto counts = output.xs(kQuantity);
    if (counts.empty()) {
        throw ModelFileError("the probe l2_halves brought no times by SMs");
    }
    const auto fewest = output.median(kQuantity, counts.front());
    const auto most = output.median(kQuantity, counts.back());
    std::vector<DataPoint> points;
    double gone = 0;
    for (const auto count : counts) {
        const auto longer = output.median(kQuantity, count) - fewest;
        gone = std::max(gone, most > fewest ? std::min(1.0, longer / (most - fewest)) : 0);
        points.push_back({count, to_four_decimals(gone)});
    }
    return points;
}

}  // namespace

void measure_l2_halves(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("l2_halves", ProbeMode::untraced).output;
    std::vector<DataPoint> in_one;
    std::vector<DataPoint> in_both;
    for (const auto bytes : output.xs("l2_round_in_one")) {
        const auto one = fit_mean(output.at("l2_round_in_one", bytes)).value;  // they add up
        const auto both = percentile_of(output.at("l2_round_in_both", bytes), kSlow);
        const bool alike = std::abs(both / one - 1) < kAlike;
        in_one.push_back({bytes, to_four_decimals(one)});
        in_both.push_back({bytes, to_four_decimals(alike ? one : both)});
    }
    if (in_one.empty()) {
        throw ModelFileError("the probe l2_halves brought no times of loads");
    }
    auto& halves = draft.model.kernels.l2_halves;
    draft.set_curve("kernel.l2_halves.load_ns_in_one_by_bytes", halves.ns_in_one, in_one,
                    "probe l2_halves, untraced: a load of kernels of two blocks, one at a time, "
                    "over the bytes that all go round; means of kernels");
    draft.set_curve("kernel.l2_halves.load_ns_in_both_by_bytes", halves.ns_in_both, in_both,
                    "probe l2_halves, untraced: the same of 16 at a time; 90 % of the kernels are "
                    "faster; where this is less than 2 % from one at a time, that one");
    draft.set_curve("kernel.l2_halves.both_by_multiprocessors", halves.both_by_sms,
                    way_to_both(output),
                    "probe l2_halves, untraced: how much of the way from one kernel at a time to "
                    "16 loads have gone, over the SMs in use, where all go round 0.9 of the L2; "
                    "medians of kernels");
}

}  // namespace overcast
