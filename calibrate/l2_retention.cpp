// How long data stays in the L2, and what a load takes that no longer finds it there.
#include "model/l2_retention.hpp"
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/kernel_concurrency.hpp"
#include "model/kernel_model.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace overcast {
namespace {

constexpr double kFitsInNoCache = 100e6;  // bytes; Assumes: no L2 is so large
/// Of what the fastest stream gets. Assumes: beyond, how long loads wait is a matter of how many
/// wait.
constexpr double kNearlyFull = 0.97;

constexpr double kLeastTold = 0.2;  // of a share of loads that are late which tells a capacity
constexpr double kMostTold = 0.8;

/// Of the same. Assumes: up to there what reads and writes do to a load adds up.
constexpr double kFarFromFull = 0.7;

/// A phase's launches of one of the probe's kernels.
std::vector<PhaseActivity> launches(const Phase& phase, std::string_view kernel) {
    auto found = phase.of(ActivityKind::kernel);
    std::erase_if(
        found, [&](const auto& each) { return each.name.find(kernel) == std::string_view::npos; });
    return found;
}

/// Of a phase's chains but the first, which bring the data in, ns; beside a stream (the kernel of
/// that name) those that lie within it.
std::vector<double> chain_times(const Phase& phase, std::string_view stream) {
    const auto streams = launches(phase, stream);
    auto chains = launches(phase, "follow_chains");
    if (!streams.empty()) {
        std::erase_if(chains, [&](const auto& chain) {
            return chain.start < streams.front().start || chain.end > streams.front().end;
        });
    }
    return durations_ns(chains, 1);
}

/// Time of the chains by footprint and number of them.
using Times = std::map<std::pair<double, double>, double>;

Times times_of(const std::vector<Phase>& phases, std::string_view quantity) {
    Times found;
    for (const auto& phase : phases) {
        if (phase.label.quantity == quantity) {
            if (const auto times = chain_times(phase, "stream_through"); !times.empty()) {
                found[{phase.label.x, phase.label.y}] = median_of(times);
            }
        }
    }
    return found;
}

/// Bytes per ns that the streams read and wrote beside chains through all footprints.
double streamed(const std::vector<Phase>& phases, double bytes) {
    std::vector<double> rates;
    for (const auto& phase : phases) {
        if (phase.label.quantity != "chain_beside") {
            continue;
        }
        for (const auto duration : durations_ns(launches(phase, "stream_through"))) {
            rates.push_back(bytes / duration);
        }
    }
    return rates.empty() ? 0 : median_of(rates);
}

/// Of the chains through more than the L2 holds. Throws ModelFileError where there are none.
double from_dram(const Times& times) {
    const auto found = std::ranges::find_if(
        times, [](const auto& row) { return row.first.first >= kFitsInNoCache; });
    if (found == times.end()) {
        throw ModelFileError("the probe l2_retention brought no times of chains");
    }
    return found->second;
}

/// Of those through less, each number of chains and footprint.
std::vector<double> from_l2(const Times& times) {
    std::vector<double> found;
    for (const auto& [key, time] : times) {
        if (key.first < kFitsInNoCache) {
            found.push_back(time);
        }
    }
    return found;
}

/// Chains beside streams of ever more warps, each of which moves as much.
struct BesideStreams {
    double alone = 0;                              ///< time of the chains without (no warps)
    double fastest = 0;                            ///< stream
    std::vector<std::pair<double, double>> found;  ///< what a stream gets, time of the chains
};

BesideStreams beside_streams(const std::vector<Phase>& phases, std::string_view quantity,
                             std::string_view stream) {
    BesideStreams beside;
    for (const auto& phase : phases) {
        if (phase.label.quantity != quantity) {
            continue;
        }
        const auto times = chain_times(phase, stream);
        if (times.empty()) {
            continue;
        }
        const auto streams = durations_ns(launches(phase, stream));
        if (streams.empty()) {
            beside.alone = median_of(times);
        } else {
            beside.found.emplace_back(phase.label.x / streams.front(), median_of(times));
            beside.fastest = std::max(beside.fastest, beside.found.back().first);
        }
    }
    return beside;
}

/// How much longer loads take beside streams that read than without, against grown(1, share of
/// what the fastest of these gets).
std::vector<DataPoint> growth_beside_reads(const BesideStreams& reads) {
    std::vector<DataPoint> points;
    for (const auto& [rate, time] : reads.found) {
        if (reads.alone > 0 && rate < kNearlyFull * reads.fastest) {
            points.push_back({grown(1, rate / reads.fastest), time / reads.alone - 1});
        }
    }
    return points;
}

/// How much longer than `growth` makes them beside streams that write half of what they move,
/// against the share of what the fastest that reads gets that is written.
std::vector<DataPoint> growth_beside_writes(const BesideStreams& writes, double fastest,
                                            double growth) {
    std::vector<DataPoint> points;
    for (const auto& [rate, time] : writes.found) {
        if (const auto used = rate / fastest; writes.alone > 0 && used < kFarFromFull) {
            points.push_back({used / 2, time / writes.alone - 1 - grown(growth, used)});
        }
    }
    return points;
}

/// How much longer loads take than alone where most of other SMs are on their way, in loads.
double longest_wait(const BesideStreams& lookups) {
    double longest = 0;
    for (const auto& [rate, time] : lookups.found) {
        longest = std::max(longest, lookups.alone > 0 ? time / lookups.alone - 1 : 0);
    }
    return longest;
}

double value_of(const ProbeOutput& output, std::string_view name) {
    const auto found = output.values.find(name);
    if (found == output.values.end()) {
        throw ModelFileError("the probe l2_retention did not say what its kernels move");
    }
    return found->second;
}

}  // namespace

void measure_l2_retention(const ProbeRuns& runs, Draft& draft) {
    const auto& run = runs.get("l2_retention", ProbeMode::full);
    const auto loads = value_of(run.output, "l2_retention_loads");
    const auto at_once = value_of(run.output, "l2_retention_chains_per_warp");
    const auto stream = streamed(run.phases, value_of(run.output, "l2_retention_streamed_bytes"));
    const auto alone = times_of(run.phases, "chain");
    const auto beside = times_of(run.phases, "chain_beside");
    const auto peak = dram_bytes_per_ns(draft.model.device);
    if (alone.empty() || stream <= 0 || peak <= 0) {
        throw ModelFileError("the probe l2_retention brought no times of chains");
    }
    const auto found = fit_median(from_l2(alone)).value;
    const auto missed = from_dram(alone);
    const auto missed_beside = from_dram(beside);
    auto& kernels = draft.model.kernels;
    draft.set("kernel.l2.latency_ns", kernels.capacities.l2_latency_ns, fit_median({found / loads}),
              "probe l2_retention: chains of loads whose data is in the L2");
    draft.set("kernel.dram_latency_in_l2_latencies", kernels.capacities.dram_latency,
              fit_median({missed / found}),
              "probe l2_retention: chains of loads from the DRAM over those from the L2");
    const auto reads = beside_streams(run.phases, "dram_chain_beside_reads", "read_through");
    draft.set("kernel.dram.latency_growth", kernels.capacities.dram_latency_growth,
              fit_through_origin(growth_beside_reads(reads)),
              "probe l2_retention: chains of loads from the DRAM beside streams that read there, "
              "over those alone, less 1, against the fourth power of the use");
    const auto writes = beside_streams(run.phases, "dram_chain_beside_writes", "stream_through");
    draft.set(
        "kernel.dram.latency_growth_by_writes", kernels.capacities.dram_latency_growth_by_writes,
        fit_through_origin(
            growth_beside_writes(writes, reads.fastest, kernels.capacities.dram_latency_growth)),
        "probe l2_retention: chains of loads from the DRAM beside streams that write there as "
        "much as they read, beyond what reads alone do, against the use by writes");
    draft.set("kernel.l2.latency_growth", kernels.capacities.l2_latency_growth,
              fit_through_origin(growth_beside_reads(
                  beside_streams(run.phases, "l2_chain_beside_reads", "read_through"))),
              "probe l2_retention: chains of loads from the L2 beside streams that read there, "
              "over those alone, less 1, against the fourth power of the use");
    if (const auto longest =
            longest_wait(beside_streams(run.phases, "l2_chain_beside_lookups", "look_up"));
        longest > 0) {
        draft.set("kernel.l2.longest_wait", kernels.capacities.l2_longest_wait,
                  fit_median({longest}),
                  "probe l2_retention: chains of loads from the L2 beside ever more loads of a "
                  "sector each on other SMs, the longest over those alone, less 1");
    }
    const auto inserts = brought_in(stream, stream / 2);
    std::vector<double> capacities;
    for (const auto& [key, time] : beside) {
        const auto [footprint, chains] = key;
        if (footprint >= kFitsInNoCache) {
            continue;
        }
        const auto late = (time - found) / (missed_beside - found);
        if (late < kLeastTold || late > kMostTold) {
            continue;
        }
        const auto kept = kept_of_late(late, at_once);
        const auto lookups = chains * loads * kL2Sector / time;
        capacities.push_back(l2_capacity({footprint, lookups, inserts, true, kept}));
    }
    if (capacities.empty()) {
        throw ModelFileError("the probe l2_retention found no footprint that was kept in part");
    }
    draft.set("kernel.l2.kept_bytes", kernels.l2_kept_bytes, fit_median(capacities),
              "probe l2_retention: what chains of loads still find beside a stream");
}

}  // namespace overcast
