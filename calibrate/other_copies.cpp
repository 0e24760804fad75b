// Copies that no copy engine serves: inline ones, copies inside the device, memsets.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/piecewise_fit.hpp"
#include "model/calibration/rising_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace overcast {
namespace {

constexpr std::size_t kWarmUpCopies = 2;
constexpr std::size_t kSizesOfAPoint = 16;

/// The largest size below which all copies went inline, and their durations.
struct InlineRange {
    std::uint64_t limit = 0;
    std::uint64_t next = 0;
    std::vector<double> durations;
    std::vector<DataPoint> by_size;
};

InlineRange inline_range(const std::vector<Phase>& phases, const std::string& quantity) {
    for (const auto& phase : phases) {
        if (phase.label.quantity != quantity) {
            continue;
        }
        auto copies = phase.of(ActivityKind::h2d);
        std::ranges::stable_sort(copies, {}, &PhaseActivity::bytes);
        InlineRange range;
        for (const auto& copy : copies) {
            if (copy.channel.type != ChannelType::compute) {
                range.next = copy.bytes.count();
                break;
            }
            range.limit = copy.bytes.count();
            range.durations.push_back(static_cast<double>(copy.duration().count()));
            range.by_size.push_back({static_cast<double>(range.limit), range.durations.back()});
        }
        return range;
    }
    throw ModelFileError(fmt::format("the recording lacks {}", quantity));
}

/// Neighbours together: medians of both coordinates.
std::vector<DataPoint> medians_of_groups(const std::vector<DataPoint>& points, std::size_t size) {
    std::vector<DataPoint> result;
    for (std::size_t first = 0; first < points.size(); first += size) {
        std::vector<double> xs;
        std::vector<double> ys;
        for (std::size_t i = first; i < std::min(points.size(), first + size); ++i) {
            xs.push_back(points[i].x);
            ys.push_back(points[i].y);
        }
        result.push_back({median_of(xs), median_of(ys)});
    }
    return result;
}

}  // namespace

void measure_inline_copies(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("inline_copies", ProbeMode::full).phases;
    auto& place = draft.model.inline_copies;
    const auto set = [&](const char* name, Bytes& to, const char* quantity) {
        const auto range = inline_range(phases, quantity);
        draft.set_limit(name, to, range.limit,
                        fmt::format("probe inline_copies, channel types of the recording: {} B "
                                    "inline, {} by the copy engine",
                                    range.limit, range.next));
        return range;
    };
    set("inline_copy.pageable_limit_bytes", place.pageable_limit, "inline_pageable");
    set("inline_copy.pinned_limit_bytes", place.pinned_limit, "inline_pinned_busy");
    const auto idle =
        set("inline_copy.pinned_idle_limit_bytes", place.pinned_idle_limit, "inline_pinned_idle");
    if (!idle.durations.empty()) {
        draft.set("inline_copy.duration_ns", place.duration, fit_median(idle.durations),
                  "probe inline_copies, traced durations over all inline sizes, pinned");
        draft.set_curve("inline_copy.duration_ns_by_bytes", place.duration_ns,
                        medians_of_groups(idle.by_size, kSizesOfAPoint),
                        "probe inline_copies, traced durations, pinned: medians");
    }
}

/// What a call costs more where the host writes the data, over the bytes.
void measure_inline_calls(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("inline_calls", ProbeMode::untraced).output;
    const auto limit = static_cast<double>(draft.model.inline_copies.pinned_idle_limit.count());
    std::vector<double> by_engine;
    for (const double bytes : output.xs("call_h2d")) {
        if (bytes > limit) {
            by_engine.push_back(output.median("call_h2d", bytes));
        }
    }
    if (by_engine.empty()) {
        throw ModelFileError("the probe inline_calls has no copy that an engine served");
    }
    const double base = median_of(by_engine);
    std::vector<DataPoint> points{{0, 0}};
    for (const double bytes : output.xs("call_h2d")) {
        if (bytes <= limit) {
            points.push_back(
                {bytes, std::max(0.0, std::round(output.median("call_h2d", bytes) - base))});
        }
    }
    draft.set_curve(
        "inline_copy.call_ns_by_bytes", draft.model.inline_copies.call_ns, fit_rising(points),
        fmt::format("probe inline_calls, untraced, data in the host's caches: time of a call "
                    "less the {:.0f} ns of one for a copy by an engine; more bytes never faster",
                    base));
}

void measure_device_copies(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("device_copies", ProbeMode::full).phases;
    const auto set = [&](const std::string& prefix, ActivityKind kind,
                         DeviceFillParameters& place) {
        std::vector<DataPoint> points;
        for (const auto& phase : phases) {
            const auto found = durations_ns(phase.of(kind), kWarmUpCopies);
            if (phase.label.quantity + "." == prefix && !found.empty()) {
                points.push_back({phase.label.x, median_of(found)});
            }
        }
        const auto fit = fit_line(points);
        const auto source = fmt::format(
            "probe device_copies, traced durations; a line in bytes, largest residual {:.0f} %",
            fit.worst_residual * 100);
        draft.set(prefix + "latency_ns", place.latency, fit.start, source);
        draft.set_bandwidth(prefix + "bandwidth_bytes_per_s", place.bandwidth, fit.slope, source);
        draft.set_pieces(prefix + "pieces", place.pieces, fit_pieces(points),
                         "probe device_copies, traced durations");
    };
    set("d2d.", ActivityKind::d2d, draft.model.d2d);
    set("memset.", ActivityKind::memset, draft.model.memset);
}

}  // namespace overcast
