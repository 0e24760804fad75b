#include "workload/link_sharing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace overcast {
namespace {

/// Positions of the copies of one kind that an engine served, by their start.
std::vector<std::uint32_t> copies_of(const Trace& trace, DeviceId device, CopyKind kind) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < trace.activities.size(); ++i) {
        const auto& activity = trace.activities[i];
        const auto* copy = std::get_if<TracedCopy>(&activity.what);
        if (copy != nullptr && copy->kind == kind && activity.device == device &&
            !travelled_inline(*copy, activity).value_or(false)) {
            found.push_back(static_cast<std::uint32_t>(i));
        }
    }
    std::ranges::sort(found, {}, [&](std::uint32_t i) { return trace.activities[i].start; });
    return found;
}

/// Adds to each of `copies` what it has in common with `others`. Copies of one direction follow
/// each other; where a recording shows them at once, each counts.
void add_common_time(const Trace& trace, std::span<const std::uint32_t> copies,
                     std::span<const std::uint32_t> others, std::vector<Duration>& beside) {
    std::size_t first = 0;
    for (const auto i : copies) {
        const auto& copy = trace.activities[i];
        while (first < others.size() && trace.activities[others[first]].end <= copy.start) {
            ++first;
        }
        for (auto at = first; at < others.size(); ++at) {
            const auto& other = trace.activities[others[at]];
            if (other.start >= copy.end) {
                break;
            }
            const auto common = std::min(copy.end, other.end) - std::max(copy.start, other.start);
            beside[i] += std::max(common, Duration{});
        }
        beside[i] = std::min(beside[i], copy.end - copy.start);
    }
}

}  // namespace

std::optional<bool> travelled_inline(const TracedCopy& copy, const DeviceActivity& activity) {
    if (copy.kind != CopyKind::host_to_device || !activity.channel ||
        activity.channel->type == ChannelType::unknown) {
        return std::nullopt;
    }
    return activity.channel->type == ChannelType::compute;
}

std::vector<Duration> beside_other_direction(const Trace& trace, DeviceId device) {
    std::vector<Duration> beside(trace.activities.size());
    const auto to_device = copies_of(trace, device, CopyKind::host_to_device);
    const auto to_host = copies_of(trace, device, CopyKind::device_to_host);
    add_common_time(trace, to_device, to_host, beside);
    add_common_time(trace, to_host, to_device, beside);
    return beside;
}

}  // namespace overcast
