#include "model/uncertainty.hpp"

#include "core/overloaded.hpp"
#include "model/device_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace overcast {
namespace {

/// 95 % point of the normal distribution: one side of a 90 % interval.
constexpr double kOneSide = 1.645;

enum class Slower : std::uint8_t { when_larger, when_smaller };

/// A parameter of a cause, and its interval, relative to its value, where its row has none.
/// Assumes: all of these; the measured intervals of docs/calibration/h200.json are their model.
struct Spread {
    std::string_view prefix;
    std::string_view suffix;
    Cause cause{};
    Slower slower{};
    double low = 1;
    double high = 1;
    double of_what_exceeds = 0;  ///< of a curve; 1 for a factor
};

constexpr auto kLarger = Slower::when_larger;
constexpr auto kSmaller = Slower::when_smaller;

constexpr std::string_view kCapacities = "kernel.capacity.";

/// The first row that fits a name holds. Parameters without a row are counts, limits and rules: no
/// interval.
constexpr auto kSpreads = std::to_array<Spread>({
    // A process runs at one speed from its start to its end, and another one at another.
    {"host.call.", "", Cause::host, kLarger, 0.75, 1.35},
    {"host.", "_latency_ns", Cause::host, kLarger, 0.85, 1.15},
    {"host.copy_stream_change_ns", "", Cause::host, kLarger, 0.5, 1.5},
    {"host.kernel_stream_change_ns", "", Cause::host, kLarger, 0.5, 1.5},
    {"host.kernel_call_beside_h2d_ns", "", Cause::host, kLarger, 0.5, 1.5},
    {"host.synchronise_wake_up_ns", "", Cause::host, kLarger, 0.85, 1.15},
    {"host.host_function_ns", "", Cause::host, kLarger, 0.5, 2},
    {"h2d.latency_ns", "", Cause::copies_to_device, kLarger, 0.9, 1.1},
    {"h2d.bandwidth", "", Cause::copies_to_device, kSmaller, 0.99, 1.01},
    {"h2d.pageable", "", Cause::copies_to_device, kLarger, 0.87, 1.15},
    {"inline_copy.duration_ns", "", Cause::copies_to_device, kLarger, 0.8, 1.25},
    // The data is in a cache of the CPU, or it is not.
    {"inline_copy.call_ns", "", Cause::host, kLarger, 0.6, 1.6},
    {"d2h.latency_ns", "", Cause::copies_to_host, kLarger, 0.9, 1.1},
    {"d2h.bandwidth", "", Cause::copies_to_host, kSmaller, 0.99, 1.01},
    {"d2h.pageable", "", Cause::copies_to_host, kLarger, 0.87, 1.15},
    {"h2d.turnaround", "", Cause::gaps, kLarger, 0.5, 1.5},
    {"d2h.turnaround", "", Cause::gaps, kLarger, 0.5, 1.5},
    {"gap.", "_by_waiting_channels", Cause::gaps, kLarger, 0.5, 1.5},
    {"gap.", "_by_bytes", Cause::gaps, kLarger, 0.5, 1.5},
    {"gap.", "_late_arrival_ns", Cause::gaps, kSmaller, 0.8, 1.25},
    {"gap.", "_ns", Cause::gaps, kLarger, 0.8, 1.25},
    {"tracing.", "", Cause::gaps, kSmaller, 0.6, 1.4},
    {"light_tracing.", "", Cause::gaps, kSmaller, 0.6, 1.4},
    {"minimal_tracing.", "", Cause::gaps, kSmaller, 0.6, 1.4},
    {"d2d.latency_ns", "", Cause::kernels, kLarger, 0.8, 1.25},
    {"d2d.bandwidth", "", Cause::kernels, kSmaller, 0.8, 1.25},
    {"memset.latency_ns", "", Cause::kernels, kLarger, 0.9, 1.1},
    {"memset.bandwidth", "", Cause::kernels, kSmaller, 0.95, 1.05},
    {"kernel.edges_ns", "", Cause::kernels, kSmaller, 0.5, 1.5},
    {"kernel.factor_beside_tensor", "", Cause::kernels, kLarger, 0.95, 1.1},
    {"kernel.load_factor_beside_tensor", "", Cause::kernels, kLarger, 0.95, 1.1},
    {"kernel.saturating_warps", "", Cause::kernel_sharing, kSmaller, 1, 1},
    // Irregular kernels wait for each other before a unit is used up.
    {kCapacities, "", Cause::kernel_sharing, kSmaller, 0.75, 1.05},
    // Of 13 calibrations on H200s (docs/model.md#intervals).
    {"h2d.duplex_factor", "", Cause::slow_downs, kLarger, 0.85, 1.25, 1},
    {"d2h.duplex_factor", "", Cause::slow_downs, kLarger, 0.9, 1.1, 1},
    {"h2d.memory_kernel_factor", "", Cause::slow_downs, kLarger, 0.7, 1.3, 1},
    {"d2h.memory_kernel_factor", "", Cause::slow_downs, kLarger, 0.7, 1.3, 1},
    {"kernel.dram", "", Cause::slow_downs, kLarger, 0.95, 1.05},
    // Not at all, where a program holds memory that it does not go round.
    {"kernel.l2_halves.both_by", "", Cause::use_of_memory, kLarger, 0, 1},
    {"h2d.slowdown_per_entry", "", Cause::slow_downs, kLarger, 0.7, 1.3},
    {"d2h.slowdown_by", "", Cause::slow_downs, kLarger, 0.7, 1.3},
});

const Spread* spread_of(std::string_view name) {
    const auto found = std::ranges::find_if(kSpreads, [&](const Spread& spread) {
        return name.starts_with(spread.prefix) && name.ends_with(spread.suffix);
    });
    return found == kSpreads.end() ? nullptr : &*found;
}

/// Whether an end of the interval is the upper one.
bool upper(const Spread& spread, Pace pace) {
    return (pace == Pace::slower) == (spread.slower == Slower::when_larger);
}

/// A number at an end of its interval, which holds the number itself.
double at_end(double value, const std::string& name, const Spread& spread, const DeviceModel& model,
              Pace pace) {
    const auto measured = model.intervals.find(name);
    const bool known = measured != model.intervals.end();
    if (upper(spread, pace)) {
        return std::max(value, known ? measured->second.high : value * spread.high);
    }
    return std::min(value, known ? std::max(0.0, measured->second.low) : value * spread.low);
}

/// Moves the parameters of one cause.
class Mover {
public:
    Mover(const DeviceModel& from, Cause cause, Pace pace)
        : from_{from}, cause_{cause}, pace_{pace} {}

    template <typename T>
    void operator()(const std::string& name, T& value) const {
        if (const auto* spread = spread_of(name); spread != nullptr && spread->cause == cause_) {
            move(name, *spread, value);
        }
    }

private:
    void move(const std::string& name, const Spread& spread, Duration& value) const {
        value = round_to_duration(
            at_end(static_cast<double>(value.count()), name, spread, from_, pace_));
    }
    template <typename T>
    void move(const std::string& name, const Spread& spread, std::optional<T>& value) const {
        if (value) {
            move(name, spread, *value);
        }
    }
    void move(const std::string& name, const Spread& spread, Bandwidth& value) const {
        value = Bandwidth{at_end(value.bytes_per_s(), name, spread, from_, pace_)};
    }
    void move(const std::string& name, const Spread& spread, double& value) const {
        if (spread.prefix == kCapacities) {
            // That the counter was read well says nothing of how kernels share the unit.
            value *= upper(spread, pace_) ? spread.high : spread.low;
        } else if (spread.cause == Cause::kernel_sharing) {
            value = pace_ == Pace::slower
                        ? std::min(value, from_.uncertainty.fewest_saturating_warps)
                        : std::max(value, from_.uncertainty.most_saturating_warps);
        } else {
            value = at_end(value, name, spread, from_, pace_);
        }
    }
    void move(const std::string&, const Spread& spread, Curve& value) const {
        const double none = spread.of_what_exceeds;
        const double factor = upper(spread, pace_) ? spread.high : spread.low;
        auto points = value.points();
        for (auto& point : points) {
            point.y = none + (point.y - none) * factor;
        }
        value = Curve{std::move(points)};
    }
    /// Counts, limits, ids: they have no interval.
    template <typename T>
    void move(const std::string&, const Spread&, T&) const {}

    const DeviceModel& from_;
    Cause cause_;
    Pace pace_;
};

/// Time over rate: how much longer something takes that a parameter decides alone.
double ratio(double value, const std::string& name, const DeviceModel& model, Pace pace) {
    const auto& spread = *spread_of(name);
    const double moved = at_end(value, name, spread, model, pace);
    if (value <= 0 || moved <= 0) {
        return 1;
    }
    return spread.slower == Slower::when_larger ? moved / value : value / moved;
}

/// 1 + half width, or its inverse.
double at_end(double half_width, Pace pace) {
    return pace == Pace::slower ? 1 + half_width : 1 / (1 + half_width);
}

}  // namespace

std::string_view in_words(Cause cause) {
    switch (cause) {
        case Cause::copies_to_device: return "copies to the device may run at another speed";
        case Cause::copies_to_host: return "copies to the host may run at another speed";
        case Cause::gaps: return "the gaps between operations vary";
        case Cause::host: return "another process may make its calls at another speed";
        case Cause::kernels: return "kernels may run for another time";
        case Cause::kernel_sharing:
            return "the trace does not show which units of an SM its kernels use up";
        case Cause::slow_downs: return "copies may slow each other down more or less";
        case Cause::use_of_memory:
            return "the trace does not show which of its memory the program uses in turn";
    }
    return "?";
}

DeviceModel at_end(const DeviceModel& model, Cause cause, Pace pace) {
    auto moved = model;
    visit_parameters(moved, Mover{model, cause, pace});
    visit_optional_parameters(moved, Mover{model, cause, pace});
    return moved;
}

OverheadParameters at_end(const OverheadParameters& measured, const DeviceModel& model, Pace pace) {
    // p10 to p90 of a normal distribution are 2.563 standard deviations; the median of n values is
    // off by 1.2533 s / sqrt(n).
    constexpr double kDeviationsBetween = 2.563;
    constexpr double kOfMedian = 1.2533;
    auto moved = measured;
    for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
        auto& gap = moved.gaps[kind];
        if (!gap || gap->count == 0) {
            continue;  // not measured, but given by the user
        }
        const auto taken_out = static_cast<double>(model.tracing_cost.traced.gaps[kind].count());
        const auto name = fmt::format("tracing.{}_ns", overhead_name(static_cast<GapKind>(kind)));
        const double share = at_end(taken_out, name, *spread_of(name), model, pace) - taken_out;
        const auto between = static_cast<double>((gap->p90 - gap->p10).count());
        const double error = kOneSide * kOfMedian * between / kDeviationsBetween /
                             std::sqrt(static_cast<double>(gap->count));
        const double half = std::hypot(error, share);
        for (auto* place : {&gap->median, &gap->p10, &gap->p90}) {
            const auto at = static_cast<double>(place->count());
            *place = round_to_duration(std::max(0.0, pace == Pace::slower ? at + half : at - half));
        }
    }
    return moved;
}

RunFactors::RunFactors(const DeviceModel& model, Pace pace)
    : to_device_{ratio(model.h2d.bandwidth.bytes_per_s(), "h2d.bandwidth_bytes_per_s", model, pace),
                 ratio(1, "h2d.pageable_ns_by_bytes", model, pace)},
      to_host_{ratio(model.d2h.bandwidth.bytes_per_s(), "d2h.bandwidth_bytes_per_s", model, pace),
               ratio(1, "d2h.pageable_ns_by_bytes", model, pace)},
      kernel_{at_end(model.uncertainty.kernel_duration, pace)},
      between_calls_{at_end(model.uncertainty.between_host_calls, pace)} {
    const auto& costs = model.tracing_cost.untraced;
    const auto of = [&](Duration cost, const char* name) {
        return ratio(static_cast<double>(cost.count()), name, model, pace);
    };
    calls_ = {.kernel_launch = of(costs.kernel_launch, "host.call.kernel_launch_ns"),
              .copy = of(costs.copy, "host.call.copy_ns"),
              .memset = of(costs.memset, "host.call.memset_ns"),
              .event_record = of(costs.event_record, "host.call.event_record_ns"),
              .event_wait = of(costs.event_wait, "host.call.event_wait_ns"),
              .synchronise = of(costs.synchronise, "host.call.synchronise_ns"),
              .host_function = of(costs.host_function, "host.call.host_function_ns"),
              .other = of(costs.other, "host.call.other_ns")};
}

double RunFactors::duration(const Operation& operation) const {
    if (const auto* copy = std::get_if<Copy>(&operation.action)) {
        const bool pageable =
            copy->source == MemoryKind::pageable || copy->destination == MemoryKind::pageable;
        if (copy->kind == CopyKind::host_to_device) {
            return pageable ? to_device_.pageable : to_device_.pinned;
        }
        if (copy->kind == CopyKind::device_to_host) {
            return pageable ? to_host_.pageable : to_host_.pinned;
        }
    }
    return kernel_;
}

double RunFactors::call(const Operation& operation) const {
    return std::visit(Overloaded{
                          [&](const Copy&) { return calls_.copy; },
                          [&](const Memset&) { return calls_.memset; },
                          [&](const KernelLaunch&) { return calls_.kernel_launch; },
                          [&](const EventRecord&) { return calls_.event_record; },
                          [&](const EventWait&) { return calls_.event_wait; },
                          [&](const HostFunction&) { return calls_.host_function; },
                          [&](const SynchroniseStream&) { return calls_.synchronise; },
                          [&](const SynchroniseDevice&) { return calls_.synchronise; },
                          [&](const SynchroniseEvent&) { return calls_.synchronise; },
                          [&](const auto&) { return calls_.other; },
                      },
                      operation.action);
}

}  // namespace overcast
