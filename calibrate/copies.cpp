// Copies between host and device: latency, bandwidth, turn-around, pageable.
#include "calibrate/copy_directions.hpp"
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
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

/// What lies between copies of one stream: wall time per further copy, less the copy.
std::vector<double> turnarounds(const ProbeRuns& runs, const CopyDirection& direction) {
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
std::vector<double> channel_changes(const ProbeRuns& runs, const CopyDirection& direction) {
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

void set_turnaround(const ProbeRuns& runs, Draft& draft, const CopyDirection& direction) {
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
