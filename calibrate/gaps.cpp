// Gaps between dependent operations of one stream, and how they and H2D copies suffer from channels
// that wait.
#include "calibrate/chain_period.hpp"
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/rising_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

namespace overcast {
namespace {

constexpr double kNothingHeld = -1;

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

/// A chain of gaps_idle: what stands in its unit, and how many gaps it has. A kernel follows a
/// kernel, a copy one of its direction, or (`mixed`) work of another kind follows.
struct IdleChain {
    const char* name;
    double gaps_per_unit;
    bool mixed;
    GapKind kind;  ///< of the gaps where they are not mixed
};

constexpr IdleChain kIdleChains[] = {
    {"gaps_k_k_event", 1, false, GapKind::kernel_to_kernel},
    {"gaps_h_k_event", 1, false, GapKind::h2d_to_h2d},
    {"gaps_d_k_event", 1, false, GapKind::d2h_to_d2h},
    {"gaps_hk_k_event", 2, true, {}},
    {"gaps_kd_k_event", 2, true, {}},
    {"gaps_hd_k_event", 2, true, {}},
    {"gaps_hkd_k_event", 3, true, {}},
};

/// Of each process of a mode: a process runs at one of several speeds.
std::vector<double> idle_periods(const ProbeRuns& runs, ProbeMode mode, const std::string& chain) {
    std::vector<double> periods;
    for (const auto& run : runs.all("gaps_idle", mode)) {
        periods.push_back(chain_period(run.output, chain, kNothingHeld));
    }
    if (periods.empty()) {
        throw ProbeDidNotRun("the probe gaps_idle did not run in every way of recording");
    }
    return periods;
}

/// No chain has gaps of this kind alone.
bool has_mixed_chains(GapKind kind) {
    return std::ranges::none_of(
        kIdleChains, [&](const IdleChain& chain) { return !chain.mixed && chain.kind == kind; });
}

/// What a way of recording adds to the gaps of chains of one sort: their sum over the number of
/// gaps, medians over processes; the interval is that of the single chains and processes.
Estimate recorder_share(const ProbeRuns& runs, ProbeMode mode, GapKind kind) {
    const bool mixed = has_mixed_chains(kind);
    double added = 0;
    double gaps = 0;
    std::vector<double> shares;
    for (const auto& chain : kIdleChains) {
        if (chain.mixed != mixed || (!mixed && chain.kind != kind)) {
            continue;
        }
        const auto recorded = idle_periods(runs, mode, chain.name);
        const double untraced = median_of(idle_periods(runs, ProbeMode::untraced, chain.name));
        added += median_of(recorded) - untraced;
        gaps += chain.gaps_per_unit;
        for (const double period : recorded) {
            shares.push_back((period - untraced) / chain.gaps_per_unit);
        }
    }
    Estimate share;
    share.value = std::max(0.0, added / gaps);
    share.low = std::max(0.0, std::ranges::min(shares));
    share.high = std::max(share.value, std::ranges::max(shares));
    share.points = shares.size();
    return share;
}

void set_recorder_shares(const ProbeRuns& runs, Draft& draft, ProbeMode mode,
                         const std::string& prefix, std::array<Duration, kGapKinds>& place) {
    for (std::size_t i = 0; i < kGapKinds; ++i) {
        const auto kind = static_cast<GapKind>(i);
        const auto share = recorder_share(runs, mode, kind);
        draft.set(fmt::format("{}{}_ns", prefix, overhead_name(kind)), place[i], share,
                  fmt::format("probe gaps_idle, wall time of a unit of {} recorded less untraced, "
                              "per gap",
                              has_mixed_chains(kind) ? "different operations" : "one operation"));
    }
}

/// Wall times of a chain while w channels wait, less that of `base` with nothing held.
std::vector<DataPoint> growth(const ProbeOutput& output, const std::string& chain, double base) {
    std::vector<DataPoint> points{{0, 0}};
    for (const double waiting : output.xs(fmt::format("{}_{}", chain, kUnitsOfLongChain))) {
        if (waiting > 0) {
            points.push_back(
                {waiting, std::max(0.0, std::round(chain_period(output, chain, waiting) - base))});
        }
    }
    return points;
}

/// Several measurements of the same chain with nothing held, which scatters.
double idle_base(const ProbeOutput& output, std::span<const std::string> chains) {
    std::vector<double> periods;
    for (const auto& chain : chains) {
        periods.push_back(chain_period(output, chain, kNothingHeld));
    }
    return fit_mean(periods).value;
}

}  // namespace

void measure_gaps(const ProbeRuns& runs, Draft& draft) {
    auto& model = draft.model;
    set_recorder_shares(runs, draft, ProbeMode::full, "tracing.", model.tracing_cost.traced.gaps);
    set_recorder_shares(runs, draft, ProbeMode::light, "light_tracing.", model.light_tracing.gaps);
    set_recorder_shares(runs, draft, ProbeMode::minimal, "minimal_tracing.",
                        model.minimal_tracing.gaps);
    GapSamples gaps;
    for (const auto& run : runs.all("gaps_idle", ProbeMode::full)) {
        add_traced_gaps(run.phases, gaps);
    }
    for (const auto& [kind, samples] : gaps) {
        const auto tracing = static_cast<double>(
            model.tracing_cost.traced.gaps[static_cast<std::size_t>(kind)].count());
        draft.set(fmt::format("gap.{}_ns", overhead_name(kind)),
                  draft.model.gaps.base[static_cast<std::size_t>(kind)],
                  without(fit_trimmed_mean(samples), tracing),
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
    const std::string copies[] = {"gaps_hkd_k_event", "gaps_hkd_d_event", "gaps_hkd_h_event"};
    const double base = idle_base(output, copies);
    set(GapKind::h2d_to_kernel, copies[0], base);
    set(GapKind::kernel_to_d2h, copies[1], base);
    set(GapKind::d2h_to_h2d, copies[2], base);
}

/// What 32 connections let wait, behind the last point that fewer let. Each chain scatters by some
/// microseconds, and its growth cannot fall.
void measure_gap_growth_beyond(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("gaps_many", ProbeMode::untraced, 32).output;
    const auto extend = [&](GapKind kind, const std::string& chain, double base) {
        auto& curve = draft.model.gaps.growth_ns[static_cast<std::size_t>(kind)];
        std::vector<DataPoint> points;
        for (const auto& point : curve.points()) {
            points.push_back({point.x, point.y});
        }
        const auto last = points.empty() ? DataPoint{} : points.back();
        auto further = growth(output, chain, base);
        std::erase_if(further, [&](const DataPoint& point) { return point.x <= last.x; });
        for (const auto& point : fit_rising(further)) {
            points.push_back({point.x, std::max(last.y, std::round(point.y))});
        }
        const auto name = fmt::format("gap.{}_growth_ns_by_waiting_channels", overhead_name(kind));
        draft.extend_curve(name, curve, points,
                           fmt::format("beyond {:.0f} channels: probe gaps_many, untraced, 32 "
                                       "connections, rising fit",
                                       last.x));
    };
    const std::string kernels = "gaps_k_k_event";
    extend(GapKind::kernel_to_kernel, kernels, chain_period(output, kernels, kNothingHeld));
    const std::string copies[] = {"gaps_hkd_k_event", "gaps_hkd_d_event", "gaps_hkd_h_event"};
    const double base = idle_base(output, copies);
    extend(GapKind::h2d_to_kernel, copies[0], base);
    extend(GapKind::kernel_to_d2h, copies[1], base);
    extend(GapKind::d2h_to_h2d, copies[2], base);
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
        figures.push_back((longer - shorter) / 40 - median_of(spins));
    }
    auto gap = fit_median(figures);
    gap.value = per_kernel - median_of(spins);
    draft.set("gap.event_ns", draft.model.gaps.event, gap,
              "probe events, untraced: wall time per kernel of two streams that take turns, less "
              "its traced duration");
}

}  // namespace overcast
