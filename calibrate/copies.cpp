// Copies between host and device: latency, bandwidth, turn-around, duplex, pageable, inline.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/duplex_fit.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/piecewise_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace overcast {
namespace {

constexpr std::size_t kWarmUp = 2;

struct Direction {
    std::string prefix;  ///< of the parameters
    ActivityKind kind;
    TransferParameters* place;
    GapKind turnaround_gap;
    std::string chain;  ///< of the probe back_to_back
};

std::vector<Direction> directions(Draft& draft) {
    return {{"h2d.", ActivityKind::h2d, &draft.model.h2d, GapKind::h2d_to_h2d, "hh"},
            {"d2h.", ActivityKind::d2h, &draft.model.d2h, GapKind::d2h_to_d2h, "dd"}};
}

/// Median duration by size of what a copy engine served.
std::vector<DataPoint> engine_durations(const std::vector<Phase>& phases,
                                        const std::string& quantity, ActivityKind kind) {
    std::vector<DataPoint> points;
    for (const auto& phase : phases) {
        const auto copies = phase.of(kind);
        if (phase.label.quantity == quantity && copies.size() > kWarmUp &&
            copies.front().channel.type == ChannelType::copy) {
            points.push_back({phase.label.x, median_of(durations_ns(copies, kWarmUp))});
        }
    }
    return points;
}

std::string word(ActivityKind kind) { return kind == ActivityKind::h2d ? "h2d" : "d2h"; }

/// What lies between copies of one stream: wall time per further copy, less the copy.
std::vector<double> turnarounds(const ProbeRuns& runs, const Direction& direction) {
    constexpr double kFew = 8;
    constexpr double kMany = 40;
    const auto& untraced = runs.get("back_to_back", ProbeMode::untraced).output;
    const auto chain = "chain_" + direction.chain;
    std::map<double, std::vector<double>> durations;
    for (const auto& phase : runs.get("back_to_back", ProbeMode::full).phases) {
        if (phase.label.quantity == chain) {
            const auto found = durations_ns(phase.of(direction.kind), kWarmUp);
            auto& all = durations[phase.label.x];
            all.insert(all.end(), found.begin(), found.end());
        }
    }
    std::vector<double> found;
    for (const auto& [bytes, traced] : durations) {
        const double period = (untraced.median(fmt::format("{}_{}", chain, kMany), bytes) -
                               untraced.median(fmt::format("{}_{}", chain, kFew), bytes)) /
                              (kMany - kFew);
        found.push_back(period - median_of(traced));
    }
    return found;
}

/// By how much a change of channel lengthens it.
std::vector<double> channel_changes(const ProbeRuns& runs, const Direction& direction) {
    constexpr double kChanges = 3;  // four copies on four channels
    const auto& untraced = runs.get("back_to_back", ProbeMode::untraced).output;
    const auto one = fmt::format("spread_{}_1", direction.chain);
    const auto four = fmt::format("spread_{}_4", direction.chain);
    std::vector<double> found;
    for (const double bytes : untraced.xs(one)) {
        found.push_back((untraced.median(four, bytes) - untraced.median(one, bytes)) / kChanges);
    }
    return found;
}

void set_turnaround(const ProbeRuns& runs, Draft& draft, const Direction& direction) {
    auto same = fit_mean(turnarounds(runs, direction));
    same.value = std::max(0.0, same.value);
    auto& place = *direction.place;
    const std::string source =
        "probe back_to_back: untraced wall time per further copy less its traced duration, "
        "128 KiB to 1 MiB";
    draft.set(direction.prefix + "turnaround_same_channel_ns", place.turnaround_same, same, source);
    const auto kind = static_cast<std::size_t>(direction.turnaround_gap);
    draft.set(fmt::format("gap.{}_ns", overhead_name(direction.turnaround_gap)),
              draft.model.gaps.base[kind], same, source);
    auto other = fit_mean(channel_changes(runs, direction));
    for (auto* part : {&other.value, &other.low, &other.high}) {
        *part += same.value;
    }
    other.value = std::max(other.value, same.value);
    draft.set(direction.prefix + "turnaround_other_channel_ns", place.turnaround_other, other,
              "probe back_to_back, untraced: four copies on four channels and on one, per change");
}

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

void set_duplex(const std::vector<Phase>& phases, Draft& draft, const Direction& direction) {
    constexpr std::size_t kEnough = 4;
    const auto equal = duplex_factors(phases, direction.kind, "duplex_equal");
    const auto small =
        duplex_factors(phases, direction.kind, "duplex_small_" + word(direction.kind));
    std::vector<DataPoint> points;
    std::string counts;
    const auto add = [&](double bytes, const std::vector<double>& factors) {
        points.push_back({bytes, std::max(1.0, std::round(median_of(factors) * 1e4) / 1e4)});
        counts += fmt::format("{}{}", counts.empty() ? "" : " ", factors.size());
    };
    auto sizes = equal;
    sizes.insert(small.begin(), small.end());
    for (const auto& [bytes, unused] : sizes) {
        const auto of_equal = equal.find(bytes);
        const auto of_small = small.find(bytes);
        if (of_equal != equal.end() && of_equal->second.size() >= kEnough) {
            add(bytes, of_equal->second);
        } else if (of_small != small.end() && of_small->second.size() >= kEnough) {
            add(bytes, of_small->second);
        }
    }
    if (points.empty()) {
        throw ModelFileError("no copy ran beside one of the other direction");
    }
    draft.set_curve(direction.prefix + "duplex_factor_by_bytes", direction.place->duplex_factor,
                    points,
                    fmt::format("probe duplex, traced: medians over copies beside the other "
                                "direction (points: {})",
                                counts));
}

}  // namespace

void measure_copies(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("copies", ProbeMode::full).phases;
    for (const auto& direction : directions(draft)) {
        const auto points = engine_durations(phases, word(direction.kind), direction.kind);
        const auto fit = fit_line(points);
        const auto source = fmt::format(
            "probe copies, traced durations, pinned, one at a time; a line in bytes, largest "
            "residual {:.1f} %",
            fit.worst_residual * 100);
        draft.set(direction.prefix + "latency_ns", direction.place->latency, fit.start, source);
        draft.set_bandwidth(direction.prefix + "bandwidth_bytes_per_s", direction.place->bandwidth,
                            fit.slope, source);
        draft.set_pieces(direction.prefix + "pieces", direction.place->pieces, fit_pieces(points),
                         "probe copies, traced durations");
    }
}

void measure_turnaround(const ProbeRuns& runs, Draft& draft) {
    for (const auto& direction : directions(draft)) {
        set_turnaround(runs, draft, direction);
    }
}

void measure_duplex(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("duplex", ProbeMode::full).phases;
    for (const auto& direction : directions(draft)) {
        set_duplex(phases, draft, direction);
    }
}

void measure_pageable(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("pageable", ProbeMode::full).phases;
    for (const auto& direction : directions(draft)) {
        const auto points =
            engine_durations(phases, "pageable_" + word(direction.kind), direction.kind);
        if (points.empty()) {
            throw ModelFileError("no pageable copy was recorded");
        }
        draft.set_curve(direction.prefix + "pageable_ns_by_bytes", direction.place->pageable_ns,
                        points,
                        "probe pageable, traced: duration of the record, medians; the host's "
                        "staging before and after it comes from each recording");
    }
}

}  // namespace overcast
