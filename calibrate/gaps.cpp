// Gaps between dependent operations of one stream, and how they and H2D copies suffer from channels
// that wait.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace overcast {
namespace {

constexpr double kFew = 6;
constexpr double kMany = 26;
constexpr double kNothingHeld = -1;

/// Wall time per further unit of a chain.
double period(const ProbeOutput& output, const std::string& chain, double waiting) {
    return (output.median(fmt::format("{}_{}", chain, kMany), waiting) -
            output.median(fmt::format("{}_{}", chain, kFew), waiting)) /
           (kMany - kFew);
}

std::optional<GapKind> gap_kind(ActivityKind earlier, ActivityKind later) {
    using enum ActivityKind;
    if (earlier == kernel && later == kernel) {
        return GapKind::kernel_to_kernel;
    }
    if (earlier == h2d && later == kernel) {
        return GapKind::h2d_to_kernel;
    }
    if (earlier == kernel && later == d2h) {
        return GapKind::kernel_to_d2h;
    }
    if (earlier == d2h && later == h2d) {
        return GapKind::d2h_to_h2d;
    }
    return std::nullopt;
}

using GapSamples = std::map<GapKind, std::vector<double>>;

/// Traced gaps of one stream whose later call had returned before the earlier operation ended.
void add_traced_gaps(const std::vector<Phase>& phases, GapSamples& gaps) {
    for (const auto& phase : phases) {
        const auto& all = phase.activities;
        for (std::size_t i = 1; i < all.size(); ++i) {
            const auto kind = gap_kind(all[i - 1].kind, all[i].kind);
            if (kind && all[i].stream == all[i - 1].stream && all[i].returned < all[i - 1].end) {
                gaps[*kind].push_back(static_cast<double>((all[i].start - all[i - 1].end).count()));
            }
        }
    }
}

/// Mean over the processes of a mode.
double idle_period(const ProbeRuns& runs, ProbeMode mode, const std::string& chain) {
    std::vector<double> periods;
    for (const auto& run : runs.all("gaps_idle", mode)) {
        periods.push_back(period(run.output, chain, kNothingHeld));
    }
    return fit_mean(periods).value;
}

/// What tracing adds to each gap of a chain's unit.
double tracing_share(const ProbeRuns& runs, const std::string& chain, double gaps_per_unit) {
    const double added =
        idle_period(runs, ProbeMode::full, chain) - idle_period(runs, ProbeMode::untraced, chain);
    return std::max(0.0, added) / gaps_per_unit;
}

/// Wall times of a chain while w channels wait, less that of `base` with nothing held.
std::vector<DataPoint> growth(const ProbeOutput& output, const std::string& chain, double base) {
    std::vector<DataPoint> points{{0, 0}};
    for (const double waiting : output.xs(fmt::format("{}_{}", chain, kMany))) {
        if (waiting > 0) {
            points.push_back(
                {waiting, std::max(0.0, std::round(period(output, chain, waiting) - base))});
        }
    }
    return points;
}

struct SlowDown {
    double channels = 0;
    double kernels = 0;
    double share = 0;  ///< of the time, more than with nothing waiting
};

std::vector<SlowDown> slow_downs(const ProbeOutput& output) {
    const std::string quantity = "waiting_for_copy";
    const double alone = output.median(quantity, 0);
    std::vector<SlowDown> found;
    for (const double x : output.xs(quantity)) {
        const double channels = std::floor(x / 100);
        const double kernels = x - channels * 100;
        if (kernels > 0) {
            found.push_back({channels, kernels, output.median(quantity, x) / alone - 1});
        }
    }
    return found;
}

/// The fewest channels from which on many kernels do harm; nothing where they never do.
std::optional<double> harmful_from(const std::vector<SlowDown>& found, double most_kernels) {
    constexpr double kHarm = 0.02;
    std::optional<double> from;
    for (auto row = found.rbegin(); row != found.rend(); ++row) {
        if (row->kernels == most_kernels) {
            if (row->share < kHarm) {
                break;
            }
            from = row->channels;
        }
    }
    return from;
}

}  // namespace

void measure_gaps(const ProbeRuns& runs, Draft& draft) {
    const double of_unit = tracing_share(runs, "gaps_hkd_k_event", 3);
    const double of_kernels = tracing_share(runs, "gaps_k_k_event", 1);
    Estimate share;
    share.value = of_unit;
    share.low = std::min(of_unit, of_kernels);
    share.high = std::max(of_unit, of_kernels);
    share.points = 2;
    draft.set("tracing.device_gap_ns", draft.model.tracing_cost.device_gap, share,
              fmt::format("probe gaps_idle, wall time of a unit of H2D, kernel, D2H traced less "
                          "untraced, a third of it ({:.0f} ns between kernels)",
                          of_kernels));
    GapSamples gaps;
    for (const auto& run : runs.all("gaps_idle", ProbeMode::full)) {
        add_traced_gaps(run.phases, gaps);
    }
    for (const auto& [kind, samples] : gaps) {
        const double tracing = kind == GapKind::kernel_to_kernel ? of_kernels : of_unit;
        auto gap = fit_trimmed_mean(samples);
        for (auto* part : {&gap.value, &gap.low, &gap.high}) {
            *part = std::max(0.0, *part - tracing);
        }
        draft.set(fmt::format("gap.{}_ns", overhead_name(kind)),
                  draft.model.gaps.base[static_cast<std::size_t>(kind)], gap,
                  fmt::format("probe gaps_idle, traced, mean, less the {:.0f} ns that tracing adds",
                              tracing));
    }
}

void measure_gap_growth(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("gaps", ProbeMode::untraced).output;
    const auto set = [&](GapKind kind, const std::string& chain, double base) {
        draft.set_curve(
            fmt::format("gap.{}_growth_ns_by_waiting_channels", overhead_name(kind)),
            draft.model.gaps.growth_ns[static_cast<std::size_t>(kind)], growth(output, chain, base),
            fmt::format("probe gaps, untraced: wall time per unit of {} while w channels wait for "
                        "an event, less that with nothing held",
                        chain));
    };
    set(GapKind::kernel_to_kernel, "gaps_k_k_event",
        period(output, "gaps_k_k_event", kNothingHeld));
    // Three measurements of the same chain, which scatters.
    const std::string copies[] = {"gaps_hkd_k_event", "gaps_hkd_d_event", "gaps_hkd_h_event"};
    std::vector<double> periods;
    for (const auto& chain : copies) {
        periods.push_back(period(output, chain, kNothingHeld));
    }
    const double base = fit_mean(periods).value;
    set(GapKind::h2d_to_kernel, copies[0], base);
    set(GapKind::kernel_to_d2h, copies[1], base);
    set(GapKind::d2h_to_h2d, copies[2], base);
}

void measure_waiting_slowdown(const ProbeRuns& runs, Draft& draft) {
    const auto found = slow_downs(runs.get("waiting_slowdown", ProbeMode::untraced).output);
    if (found.empty()) {
        throw ModelFileError("no copy was measured while kernels waited");
    }
    const double most = std::ranges::max(found, {}, &SlowDown::kernels).kernels;
    auto& place = draft.model.waiting_slowdown;
    const auto from = harmful_from(found, most);
    std::vector<DataPoint> points;
    for (const auto& row : found) {
        if (row.channels >= from.value_or(0)) {
            points.push_back({row.kernels, row.share});
        }
    }
    auto slope = fit_through_origin(points);
    if (!from || slope.low <= 0) {
        slope.value = 0;
    }
    const std::string source =
        "probe waiting_slowdown, untraced: 16 MiB copies while kernels wait for a copy of their "
        "stream";
    draft.set("h2d.slowdown_per_waiting_kernel", place.per_waiting_kernel, slope, source);
    if (from) {
        draft.set_count("h2d.slowdown_from_waiting_channels", place.from_channels,
                        static_cast<std::uint32_t>(*from),
                        source + "; the fewest channels from which on it is above 2 %");
    }
    Estimate range;
    range.value = range.low = range.high = most;
    range.points = points.size();
    draft.set("h2d.slowdown_most_waiting_kernels", place.most_waiting_kernels, range,
              "probe waiting_slowdown: the largest number that was measured");
}

void measure_events(const ProbeRuns& runs, Draft& draft) {
    constexpr double kSpin = 20'000;
    const auto& output = runs.get("events", ProbeMode::untraced).output;
    std::vector<double> spins;
    for (const auto& phase : runs.get("gaps_idle", ProbeMode::full).phases) {
        if (phase.label.quantity == "gaps_k_k_event") {
            spins = durations_ns(phase.of(ActivityKind::kernel));
        }
    }
    const double per_kernel =
        (output.median("event_chain_50", kSpin) - output.median("event_chain_10", kSpin)) / 40;
    // Every chain of one length gives a figure with each of the other: here the middle one counts.
    std::vector<double> figures;
    const auto shorter = output.median("event_chain_10", kSpin);
    for (const double longer : output.at("event_chain_50", kSpin)) {
        figures.push_back((longer - shorter) / 40 - sample_median(spins));
    }
    auto gap = fit_median(figures);
    gap.value = per_kernel - sample_median(spins);
    draft.set("gap.event_ns", draft.model.gaps.event, gap,
              "probe events, untraced: wall time per kernel of two streams that take turns, less "
              "its traced duration");
}

}  // namespace overcast
