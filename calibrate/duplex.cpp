// How much slower copies are beside those of the other direction.
#include "calibrate/chain_period.hpp"
#include "calibrate/copy_directions.hpp"
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/duplex_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace overcast {
namespace {

/// Time that [start, end) shares with copies of the other direction, which are sorted.
Duration shared_time(const PhaseActivity& own, const std::vector<PhaseActivity>& others) {
    Duration shared{};
    for (const auto& other : others) {
        shared +=
            std::max(Duration{}, std::min(own.end, other.end) - std::max(own.start, other.start));
    }
    return shared;
}

using BySize = std::map<double, std::vector<double>>;

BySize alone_durations(const std::vector<Phase>& phases, ActivityKind kind) {
    BySize alone;
    for (const auto& phase : phases) {
        if (phase.label.quantity == "duplex_alone") {
            for (const auto& copy : phase.of(kind)) {
                alone[static_cast<double>(copy.bytes.count())].push_back(
                    static_cast<double>(copy.duration().count()));
            }
        }
    }
    return alone;
}

BySize duplex_factors(const std::vector<Phase>& phases, ActivityKind kind,
                      const std::string& quantity) {
    constexpr double kMostly = 0.8;  // of the copy beside the other direction
    const auto alone = alone_durations(phases, kind);
    const auto other_kind = kind == ActivityKind::h2d ? ActivityKind::d2h : ActivityKind::h2d;
    BySize factors;
    for (const auto& phase : phases) {
        if (phase.label.quantity != quantity) {
            continue;
        }
        const auto others = phase.of(other_kind);
        for (const auto& own : phase.of(kind)) {
            const auto bytes = static_cast<double>(own.bytes.count());
            const auto shared = shared_time(own, others);
            const auto known = alone.find(bytes);
            if (known == alone.end() ||
                to_microseconds(shared) < kMostly * to_microseconds(own.duration())) {
                continue;
            }
            if (const auto factor = duplex_factor(own.duration(), shared,
                                                  round_to_duration(median_of(known->second)))) {
                factors[bytes].push_back(*factor);
            }
        }
    }
    return factors;
}

/// Medians over copies of one size that were recorded beside the other direction.
std::map<double, double> recorded_factors(const std::vector<Phase>& phases,
                                          const CopyDirection& direction) {
    constexpr std::size_t kEnough = 4;
    const auto equal = duplex_factors(phases, direction.kind, "duplex_equal");
    auto of_size = duplex_factors(phases, direction.kind, "duplex_small_" + word(direction.kind));
    for (const auto& [bytes, factors] : equal) {
        if (factors.size() >= kEnough) {
            of_size[bytes] = factors;
        }
    }
    std::map<double, double> found;
    for (const auto& [bytes, factors] : of_size) {
        if (factors.size() >= kEnough) {
            found[bytes] = median_of(factors);
        }
    }
    return found;
}

/// From the wall time per copy of a chain, alone and beside one of the other direction, of which
/// the turn-around is not slowed; medians over the processes.
std::map<double, double> factors_of_chains(const ProbeRuns& runs, const CopyDirection& direction) {
    const auto chain = "duplex_" + word(direction.kind);
    const auto turnaround = static_cast<double>(direction.place->turnaround_same.count());
    BySize of_size;
    for (const auto& run : runs.all("duplex_chains", ProbeMode::untraced)) {
        for (const double bytes : run.output.xs(chain + "_beside_many")) {
            const auto copy = [&](const std::string& where) {
                return further_period(run.output, chain + where, bytes, kFurtherCopies) -
                       turnaround;
            };
            of_size[bytes].push_back(copy("_beside") / copy("_alone"));
        }
    }
    std::map<double, double> found;
    for (const auto& [bytes, factors] : of_size) {
        found[bytes] = median_of(factors);
    }
    return found;
}

void set_duplex(const ProbeRuns& runs, Draft& draft, const CopyDirection& direction) {
    auto factors = factors_of_chains(runs, direction);
    factors.merge(recorded_factors(runs.get("duplex", ProbeMode::full).phases, direction));
    std::vector<DataPoint> points;
    for (const auto& [bytes, factor] : factors) {
        points.push_back({bytes, std::max(1.0, to_four_decimals(factor))});
    }
    if (points.empty()) {
        throw ModelFileError("no copy ran beside one of the other direction");
    }
    draft.set_curve(direction.prefix + "duplex_factor_by_bytes", direction.place->duplex_factor,
                    points,
                    "probe duplex_chains, untraced: wall time per copy of a chain beside one of "
                    "the other direction over that alone, less the turn-around; of larger copies "
                    "probe duplex, traced: medians over copies beside the other direction");
}

}  // namespace

void measure_duplex(const ProbeRuns& runs, Draft& draft) {
    for (const auto& direction : directions(draft)) {
        set_duplex(runs, draft, direction);
    }
}

}  // namespace overcast
