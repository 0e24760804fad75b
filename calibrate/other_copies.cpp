// Copies that no copy engine serves: inline ones, copies inside the device, memsets.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "model/calibration/line_fit.hpp"
#include "model/calibration/median_fit.hpp"
#include "model/calibration/piecewise_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

constexpr std::size_t kWarmUp = 2;

/// The largest size below which all copies went inline, and their durations.
struct InlineRange {
    std::uint64_t limit = 0;
    std::uint64_t next = 0;
    std::vector<double> durations;
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
        }
        return range;
    }
    throw ModelFileError(fmt::format("the recording lacks {}", quantity));
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
    }
}

void measure_device_copies(const ProbeRuns& runs, Draft& draft) {
    const auto& phases = runs.get("device_copies", ProbeMode::full).phases;
    const auto set = [&](const std::string& prefix, ActivityKind kind,
                         DeviceFillParameters& place) {
        std::vector<DataPoint> points;
        for (const auto& phase : phases) {
            const auto found = durations_ns(phase.of(kind), kWarmUp);
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
