#include "workload/overheads.hpp"

#include "core/statistics.hpp"

#include <algorithm>
#include <optional>

namespace overcast {
namespace {

enum class Kind : std::uint8_t { h2d, d2h, kernel };

std::optional<Kind> kind_of(const DeviceActivity& activity) {
    if (std::holds_alternative<TracedKernel>(activity.what)) {
        return Kind::kernel;
    }
    const auto* copy = std::get_if<TracedCopy>(&activity.what);
    if (copy == nullptr) {
        return std::nullopt;
    }
    // A small copy that travels on the compute channel needs no hand-over between engines.
    if (activity.channel && activity.channel->type == ChannelType::compute) {
        return std::nullopt;
    }
    switch (copy->kind) {
        case CopyKind::host_to_device: return Kind::h2d;
        case CopyKind::device_to_host: return Kind::d2h;
        case CopyKind::device_to_device:
        case CopyKind::host_to_host:
        case CopyKind::peer_to_peer: break;
    }
    return std::nullopt;
}

std::optional<GapKind> gap_kind(const DeviceActivity& before, const DeviceActivity& after) {
    const auto first = kind_of(before);
    const auto second = kind_of(after);
    if (!first || !second) {
        return std::nullopt;
    }
    if (*first == Kind::h2d) {
        return *second == Kind::h2d      ? std::optional{GapKind::h2d_to_h2d}
               : *second == Kind::kernel ? std::optional{GapKind::h2d_to_kernel}
                                         : std::nullopt;
    }
    if (*first == Kind::kernel) {
        return *second == Kind::kernel ? std::optional{GapKind::kernel_to_kernel}
               : *second == Kind::d2h  ? std::optional{GapKind::kernel_to_d2h}
                                       : std::nullopt;
    }
    return *second == Kind::d2h   ? std::optional{GapKind::d2h_to_d2h}
           : *second == Kind::h2d ? std::optional{GapKind::d2h_to_h2d}
                                  : std::nullopt;
}

/// When the device works for anybody, so that a gap in one stream can be told from a wait for
/// another one.
class OtherWork {
public:
    OtherWork(const Trace& trace, DeviceId device) {
        for (const auto& activity : trace.activities) {  // in the order of their starts
            if (activity.device == device) {
                starts_.push_back(activity.start);
                latest_ends_.push_back(latest_ends_.empty()
                                           ? activity.end
                                           : std::max(latest_ends_.back(), activity.end));
            }
        }
    }

    /// Whether something ran between `from`, where one operation ended, and `to`, where another
    /// began.
    [[nodiscard]] bool between(TraceTime from, TraceTime to) const {
        const auto later = std::ranges::lower_bound(starts_, to) - starts_.begin();
        return later > 0 && latest_ends_[static_cast<std::size_t>(later - 1)] > from;
    }

private:
    std::vector<TraceTime> starts_;
    std::vector<TraceTime> latest_ends_;  ///< of all that started no later
};

}  // namespace

OverheadParameters same_stream_gaps(const Trace& trace, const Workload& workload,
                                    const std::vector<OperationOrigin>& origins,
                                    const std::array<Duration, kGapKinds>& recorder) {
    struct Previous {
        const DeviceActivity* activity = nullptr;
        bool interrupted = false;  ///< something else in the stream was waited for since
    };
    std::vector<Previous> previous(workload.streams.size());
    const OtherWork others{trace, workload.device.id};
    std::array<std::vector<Duration>, kGapKinds> gaps;
    for (std::size_t i = 0; i < origins.size(); ++i) {
        const auto& operation = workload.operations[i];
        if (std::holds_alternative<EventWait>(operation.action) ||
            std::holds_alternative<HostFunction>(operation.action)) {
            previous[index(operation.stream)].interrupted = true;
        }
        if (!origins[i].activity) {
            continue;
        }
        auto& before = previous[index(operation.stream)];
        const auto& after = trace.activities[*origins[i].activity];
        if (before.activity != nullptr && !before.interrupted && !after.graph_node &&
            origins[i].call_end <= before.activity->end && before.activity->end <= after.start &&
            !others.between(before.activity->end, after.start)) {
            if (const auto kind = gap_kind(*before.activity, after)) {
                const auto of_kind = static_cast<std::size_t>(*kind);
                const auto gap = after.start - before.activity->end - recorder[of_kind];
                gaps[of_kind].push_back(std::max(gap, Duration{}));
            }
        }
        before = {&after, false};
    }
    OverheadParameters result;
    for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
        const auto& values = gaps[kind];
        // Shorter than what recording adds to such a gap: the trace does not tell it.
        if (const auto middle = values.empty() ? Duration{} : percentile_of(values, 50);
            middle > Duration{}) {
            result.gaps[kind] = GapStatistics{middle, percentile_of(values, 10),
                                              percentile_of(values, 90), values.size()};
        }
    }
    return result;
}

}  // namespace overcast
