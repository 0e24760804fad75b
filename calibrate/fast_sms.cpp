// SMs that get more than others of an L2 that is full: they end before the others do.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace overcast {
namespace {

/// Of the time. Assumes: SMs that are alike end nearer to each other (0.5 to 2 %), fast ones
/// further before them (0.26).
constexpr double kApart = 0.1;

/// When each SM has lost its last block, of the time of the last one, by its number.
std::vector<double> ends_of(const ProbeOutput& output, const std::string& quantity) {
    std::vector<double> ends;
    for (const auto sm : output.xs(quantity)) {
        ends.push_back(output.median(quantity, sm));
    }
    if (ends.size() < 2) {
        throw ModelFileError("the probe fast_sms brought no times of " + quantity);
    }
    return ends;
}

/// The latest end of fast SMs: the one before the largest gap between two, if that is wide enough
/// and fewer than half of all SMs lie before it; -1: there are none.
double last_fast(std::vector<double> ends) {
    std::ranges::sort(ends);
    std::size_t before = 0;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        if (ends[i] - ends[i - 1] > ends[before + 1] - ends[before]) {
            before = i - 1;
        }
    }
    const bool are_apart = ends[before + 1] - ends[before] >= kApart;
    const bool are_few = 2 * (before + 1) < ends.size();  // else some SM was held up
    return are_apart && are_few ? ends[before] : -1;
}

/// How many times as fast as others SMs are that make up the share f of all and end after r of the
/// others' time, while all together are as fast as ever:
///   r = (1 + f (s - 1)) / s.
double speed_of(double sooner, double share) { return (1 - share) / (sooner - share); }

}  // namespace

/// Fast SMs are those that end gathers before the others: how much sooner the same ones end chains
/// and streams says how much faster they are there.
void measure_fast_sms(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("fast_sms", ProbeMode::untraced).output;
    const auto gathers = ends_of(output, "fast_sms_gathers");
    const auto few_chains = ends_of(output, "fast_sms_few_chains");
    const auto chains = ends_of(output, "fast_sms_chains");
    const auto lines = ends_of(output, "fast_sms_lines");
    const auto latest = last_fast(gathers);
    const auto count = std::ranges::count_if(gathers, [&](double end) { return end <= latest; });
    const auto share = static_cast<double>(count) / static_cast<double>(gathers.size());
    const auto sooner = [&](const std::vector<double>& ends) {
        double fast = 0;
        double others = 0;
        for (std::size_t sm = 0; sm < std::min(gathers.size(), ends.size()); ++sm) {
            (gathers[sm] <= latest ? fast : others) += ends[sm];
        }
        return fast * (1 - share) / (others * share);
    };
    const bool some = count > 0 && sooner(gathers) > share;
    auto& found = draft.model.kernels.capacities.fast_sms;
    const std::string source = "probe fast_sms, untraced: SMs that end sooner than others ";
    const auto speed = [&](const std::vector<double>& ends) {
        return some ? std::max(1.0, speed_of(sooner(ends), share)) : 1;
    };
    draft.set("kernel.fast_sms.share", found.share, {some ? share : 0},
              source + "where all gather");
    draft.set("kernel.fast_sms.speed", found.speed, {speed(gathers)}, source + "where all gather");
    draft.set("kernel.fast_sms.speed_of_chains", found.speed_of_chains,
              {(speed(few_chains) + speed(chains)) / 2},
              source +
                  "where all follow chains of loads of eight lanes, mean of 48 and 64 warps per "
                  "SM");
    draft.set("kernel.fast_sms.speed_of_lines", found.speed_of_lines, {speed(lines)},
              source + "where 64 warps per SM stream from the DRAM");
}

}  // namespace overcast
