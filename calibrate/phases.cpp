#include "calibrate/phases.hpp"

#include "core/overloaded.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

namespace overcast {
namespace {

constexpr std::string_view kMarker = "overcast_phase_marker";

/// The id of a marker kernel; nothing for any other activity.
std::optional<std::uint32_t> marker_id(const DeviceActivity& activity, const Trace& trace) {
    const auto* kernel = std::get_if<TracedKernel>(&activity.what);
    if (kernel == nullptr || trace.names[kernel->name].find(kMarker) == std::string_view::npos) {
        return std::nullopt;
    }
    return kernel->shape.grid.x;
}

ActivityKind kind_of(CopyKind kind) {
    switch (kind) {
        case CopyKind::host_to_device: return ActivityKind::h2d;
        case CopyKind::device_to_host: return ActivityKind::d2h;
        default: return ActivityKind::d2d;
    }
}

PhaseActivity phase_activity(const DeviceActivity& activity, const Trace& trace) {
    PhaseActivity made;
    made.start = activity.start;
    made.end = activity.end;
    made.stream = activity.stream;
    made.channel = activity.channel.value_or(Channel{});
    std::visit(Overloaded{[&](const TracedCopy& copy) {
                              made.kind = kind_of(copy.kind);
                              made.bytes = copy.bytes;
                          },
                          [&](const TracedMemset& memset) {
                              made.kind = ActivityKind::memset;
                              made.bytes = memset.bytes;
                          },
                          [&](const TracedKernel& kernel) {
                              made.kind = ActivityKind::kernel;
                              made.name = trace.names[kernel.name];
                          }},
               activity.what);
    return made;
}

}  // namespace

std::vector<PhaseActivity> Phase::of(ActivityKind kind) const {
    std::vector<PhaseActivity> found;
    std::ranges::copy_if(activities, std::back_inserter(found),
                         [&](const auto& activity) { return activity.kind == kind; });
    return found;
}

ActivityKind kind_of(char letter) {
    switch (letter) {
        case 'h': return ActivityKind::h2d;
        case 'd': return ActivityKind::d2h;
        default: return ActivityKind::kernel;
    }
}

std::vector<Phase> cut_into_phases(const Trace& trace, const ProbeOutput& output) {
    std::unordered_map<std::uint64_t, const ApiCall*> calls;
    for (const auto& call : trace.api_calls) {
        auto& known = calls[number(call.correlation)];
        if (known == nullptr || call.domain == ApiDomain::runtime) {
            known = &call;
        }
    }
    std::vector<Phase> phases(1);
    for (const auto& activity : trace.activities) {
        if (const auto id = marker_id(activity, trace)) {
            const auto label = output.phases.find(*id);
            phases.push_back({label == output.phases.end() ? PhaseLabel{} : label->second, {}});
            continue;
        }
        auto made = phase_activity(activity, trace);
        const auto call = calls.find(number(activity.correlation));
        made.issued = call == calls.end() ? activity.start : call->second->start;
        made.returned = call == calls.end() ? activity.start : call->second->end;
        phases.back().activities.push_back(made);
    }
    return phases;
}

std::vector<double> durations_ns(const std::vector<PhaseActivity>& activities,
                                 std::size_t warm_up) {
    std::vector<double> found;
    for (std::size_t i = warm_up; i < activities.size(); ++i) {
        found.push_back(static_cast<double>(activities[i].duration().count()));
    }
    return found;
}

}  // namespace overcast
