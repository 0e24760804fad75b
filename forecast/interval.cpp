#include "forecast/interval.hpp"

#include "forecast/critical_path.hpp"
#include "simulator/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace overcast {
namespace {

/// The recorded duration of what the device does, if it is any.
Measured* recorded(Action& action) {
    const auto of = [](auto* work) -> Measured* {
        return work != nullptr && work->measured ? &*work->measured : nullptr;
    };
    if (auto* found = of(std::get_if<Copy>(&action))) {
        return found;
    }
    if (auto* found = of(std::get_if<Memset>(&action))) {
        return found;
    }
    return of(std::get_if<KernelLaunch>(&action));
}

/// Whose speed decides how long an operation runs on the device.
Cause cause_of(const Action& action) {
    if (const auto* copy = std::get_if<Copy>(&action)) {
        switch (copy->kind) {
            case CopyKind::host_to_device: return Cause::copies_to_device;
            case CopyKind::device_to_host: return Cause::copies_to_host;
            case CopyKind::device_to_device:
            case CopyKind::host_to_host:
            case CopyKind::peer_to_peer: break;
        }
    }
    return Cause::kernels;
}

Duration scaled(Duration duration, double factor) {
    return round_to_duration(static_cast<double>(duration.count()) * factor);
}

/// Two independent causes of one change: a factor, and the half width of what scatters.
double together(double factor, double half_width, Pace pace) {
    // Rounded, so that the last bit of a machine's logarithm decides about no nanosecond.
    constexpr double kSteps = 1e6;
    const double both =
        std::round(std::exp(std::hypot(std::log(factor), std::log1p(half_width))) * kSteps) /
        kSteps;
    return pace == Pace::slower ? both : 1 / both;
}

struct Presence {
    std::array<bool, kCauses.size()> causes{};
    bool& operator[](Cause cause) { return causes[static_cast<std::size_t>(cause)]; }
};

/// Whether it may matter for how long loads take which SMs use the memory that the program holds.
bool goes_round(const Workload& played, const L2Halves& halves) {
    return played.round && halves.measured() &&
           halves.felt(played.round->recorded, played.round->now);
}

/// Which causes can matter at all: the others need not be played.
Presence causes_in(const Workload& played, const DeviceModel& model) {
    Presence present;
    present[Cause::gaps] = present[Cause::host] = true;
    std::set<StreamIndex> streams;
    for (const auto& operation : played.operations) {
        if (enqueues_work(operation.action)) {
            present[cause_of(operation.action)] = true;
            streams.insert(operation.stream);
        }
    }
    const bool several = streams.size() > 1;
    present[Cause::kernel_sharing] = several && present[Cause::kernels];
    present[Cause::slow_downs] = several && present[Cause::copies_to_device];
    present[Cause::use_of_memory] = several && goes_round(played, model.kernels.l2_halves);
    return present;
}

/// Of the wall time, the error of each part of the critical path: copies, kernels, the host, gaps.
/// They are independent.
double error_of_chain(const PlayedConfiguration& played, const UncertaintyParameters& uncertainty) {
    const auto& timeline = played.timeline;
    double copies = 0;
    double kernels = 0;
    double host = 0;
    double gaps = 0;
    for (const auto& stretch : critical_path(played.workload, timeline)) {
        const auto length = static_cast<double>((stretch.end - stretch.begin).count());
        const bool on_sm = timeline.entries[stretch.operation].engine == Engine::sm;
        switch (stretch.kind) {
            case PathStretch::Kind::device: (on_sm ? kernels : copies) += length; break;
            case PathStretch::Kind::gap: gaps += length; break;
            case PathStretch::Kind::call:
            case PathStretch::Kind::host_time:
            case PathStretch::Kind::wake_up: host += length; break;
        }
    }
    return std::hypot(std::hypot(copies * uncertainty.copies, kernels * uncertainty.kernels),
                      std::hypot(host * uncertainty.host, gaps * uncertainty.chain)) /
           static_cast<double>(timeline.wall.count());
}

/// Relative error of the rules for kernels that are not the same and may run at the same time, by
/// what is known of them; 0 where every stream launches the same ones or the SMs do not limit the
/// run.
double sharing_error(const Workload& played, const Prediction& prediction,
                     const UncertaintyParameters& uncertainty) {
    if (prediction.bound_by != Bound::sm) {
        return 0;
    }
    std::map<StreamIndex, std::set<KernelIndex>> launched;
    bool counted = true;
    for (const auto& operation : played.operations) {
        if (const auto* launch = std::get_if<KernelLaunch>(&operation.action)) {
            launched[operation.stream].insert(launch->kernel);
            counted = counted && played.kernels[index(launch->kernel)].counters.has_value();
        }
    }
    const bool alike = std::ranges::all_of(
        launched, [&](const auto& stream) { return stream.second == launched.begin()->second; });
    if (alike) {
        return 0;
    }
    return counted ? uncertainty.unlike_kernels : uncertainty.unlike_uncounted_kernels;
}

}  // namespace

double relative_width(const WallInterval& interval, Duration wall) {
    return wall <= Duration::zero() ? 0
                                    : static_cast<double>((interval.high - interval.low).count()) /
                                          static_cast<double>(wall.count());
}

IntervalEstimator::IntervalEstimator(const Workload& recorded, const DeviceModel& model,
                                     const OverheadParameters& measured_gaps, const Rules& rules)
    : model_{model}, rules_{rules}, scatter_{recorded, model.scatter} {
    const auto moved = [&](Cause cause, Pace pace) {
        auto result = at_end(model, cause, pace);
        if (cause == Cause::gaps) {
            apply_overheads(result, at_end(measured_gaps, model, pace));
        }
        return End{std::move(result), RunFactors{model, pace}};
    };
    for (const auto cause : kCauses) {
        ends_.push_back({moved(cause, Pace::slower), moved(cause, Pace::faster)});
    }
}

Duration IntervalEstimator::wall_at(const Workload& played, Cause cause, Pace pace) const {
    const auto& [model, factors] = end(cause, pace);
    const bool on_device = cause == Cause::copies_to_device || cause == Cause::copies_to_host ||
                           cause == Cause::kernels;
    if (!on_device && cause != Cause::host) {
        return simulate(played, model, rules_).wall;
    }
    auto workload = played;
    for (auto& operation : workload.operations) {
        if (cause == Cause::host) {
            operation.call_cost =
                scaled(operation.call_cost,
                       together(factors.call(operation), scatter_.of_call(operation), pace));
            operation.host_before = scaled(operation.host_before, factors.between_calls());
        } else if (auto* measured = recorded(operation.action);
                   measured != nullptr && cause_of(operation.action) == cause) {
            measured->duration =
                scaled(measured->duration, together(factors.duration(operation),
                                                    scatter_.of_duration(played, operation), pace));
        }
    }
    if (cause == Cause::host) {
        for (auto& before : workload.merged_host_before) {
            before = scaled(before, factors.between_calls());
        }
    }
    return simulate(workload, model, rules_).wall;
}

double IntervalEstimator::rules_error(const PlayedConfiguration& played,
                                      const Prediction& prediction) const {
    const auto& uncertainty = model_.uncertainty;
    if (prediction.configuration.streams == 1) {
        return uncertainty.one_stream;
    }
    switch (prediction.bound_by) {
        case Bound::h2d:
        case Bound::d2h: return uncertainty.copies;
        case Bound::sm: return uncertainty.kernels;
        case Bound::host: return uncertainty.host;
        case Bound::chain: break;
    }
    return played.timeline.wall > Duration::zero() ? error_of_chain(played, uncertainty)
                                                   : uncertainty.chain;
}

std::vector<std::array<Duration, 2>> IntervalEstimator::walls_at_ends(const Workload& played,
                                                                      Duration wall) const {
    std::vector<std::array<Duration, 2>> walls;
    auto present = causes_in(played, model_);
    for (const auto cause : kCauses) {
        walls.push_back({wall, wall});
        if (present[cause]) {
            walls.back() = {wall_at(played, cause, Pace::slower),
                            wall_at(played, cause, Pace::faster)};
        }
    }
    return walls;
}

IntervalEstimate IntervalEstimator::estimate(const PlayedConfiguration& played,
                                             const Prediction& prediction) const {
    const auto wall = static_cast<double>(prediction.wall.count());
    if (wall <= 0) {
        return {{prediction.wall, prediction.wall}, std::nullopt};
    }
    const double rules =
        std::log1p(std::max(rules_error(played, prediction),
                            sharing_error(played.workload, prediction, model_.uncertainty)));
    double up = rules * rules;
    double down = rules * rules;
    double largest = 2 * rules;
    IntervalEstimate result;
    const auto walls = walls_at_ends(played.workload, prediction.wall);
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const auto change = [&](Duration moved) {
            return std::log(static_cast<double>(std::max(moved, Duration{1}).count()) / wall);
        };
        const double slower = change(walls[i][0]);
        const double faster = change(walls[i][1]);
        const double rise = std::max({0.0, slower, faster});
        const double fall = std::max({0.0, -slower, -faster});
        up += rise * rise;
        down += fall * fall;
        if (rise + fall > largest) {
            largest = rise + fall;
            result.main_cause = kCauses[i];
        }
    }
    result.interval = {scaled(prediction.wall, std::exp(-std::sqrt(down))),
                       scaled(prediction.wall, std::exp(std::sqrt(up)))};
    return result;
}

}  // namespace overcast
