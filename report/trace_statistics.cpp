#include "report/trace_statistics.hpp"

#include "core/memory_word.hpp"
#include "core/statistics.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace overcast {
namespace {

/// Durations of one group, summed up at the end.
class Durations {
public:
    void add(Duration duration) {
        all_.push_back(duration);
        total_ += duration;
    }
    [[nodiscard]] std::uint64_t count() const { return all_.size(); }
    [[nodiscard]] Duration total() const { return total_; }
    /// The lower one of an even number.
    [[nodiscard]] Duration median() const { return percentile_of(all_, 50); }

private:
    std::vector<Duration> all_;
    Duration total_{};
};

std::string_view label(MemoryKind kind) {
    return kind == MemoryKind::unknown ? "unknown memory" : memory_word(kind);
}

std::string label(const TracedCopy& copy) {
    switch (copy.kind) {
        case CopyKind::host_to_device: return "H2D copy, " + std::string{label(copy.source)};
        case CopyKind::device_to_host: return "D2H copy, " + std::string{label(copy.destination)};
        case CopyKind::device_to_device: return "D2D copy";
        case CopyKind::host_to_host: return "H2H copy";
        case CopyKind::peer_to_peer: return "peer copy";
    }
    return "?";
}

struct KindGroup {
    Durations durations;
    std::optional<Bytes> bytes;
};

/// Copies in the order of CopyKind and of the memory, then memsets, then kernels.
using KindKey = std::tuple<std::size_t, int, std::string>;

KindKey kind_key(const DeviceActivity& activity) {
    if (const auto* copy = std::get_if<TracedCopy>(&activity.what)) {
        return {activity.what.index(), static_cast<int>(copy->kind), label(*copy)};
    }
    return {activity.what.index(), 0,
            std::holds_alternative<TracedMemset>(activity.what) ? "memset" : "kernel"};
}

std::optional<Bytes> bytes_of(const DeviceActivity& activity) {
    if (const auto* copy = std::get_if<TracedCopy>(&activity.what)) {
        return copy->bytes;
    }
    if (const auto* memset = std::get_if<TracedMemset>(&activity.what)) {
        return memset->bytes;
    }
    return std::nullopt;
}

std::vector<KindStatistics> count_kinds(const Trace& trace) {
    std::map<KindKey, KindGroup> groups;
    for (const auto& activity : trace.activities) {
        auto& group = groups[kind_key(activity)];
        group.durations.add(activity.end - activity.start);
        if (const auto bytes = bytes_of(activity)) {
            group.bytes = group.bytes.value_or(Bytes{}) + *bytes;
        }
    }
    std::vector<KindStatistics> result;
    for (auto& [key, group] : groups) {
        result.push_back({std::get<2>(key), group.durations.count(), group.bytes,
                          group.durations.total(), group.durations.median()});
    }
    return result;
}

std::vector<KernelStatistics> count_kernels(const Trace& trace) {
    std::map<std::pair<NameId, KernelShape>, Durations> groups;
    for (const auto& activity : trace.activities) {
        if (const auto* kernel = std::get_if<TracedKernel>(&activity.what)) {
            groups[{kernel->name, kernel->shape}].add(activity.end - activity.start);
        }
    }
    std::vector<KernelStatistics> result;
    for (const auto& [key, durations] : groups) {
        result.push_back(
            {key.first, key.second, durations.count(), durations.total(), durations.median()});
    }
    std::ranges::stable_sort(result, std::greater{}, &KernelStatistics::total);
    return result;
}

std::vector<StreamStatistics> count_streams(const Trace& trace) {
    std::map<std::pair<ContextId, StreamId>, StreamStatistics> streams;
    for (const auto& activity : trace.activities) {
        auto& stream = streams[{activity.context, activity.stream}];
        ++stream.count;
        stream.busy += activity.end - activity.start;
    }
    for (const auto& properties : trace.streams) {
        const auto known = streams.find({properties.context, properties.stream});
        if (known != streams.end()) {
            known->second.flag = properties.flag;
            known->second.priority = properties.priority;
        }
    }
    std::vector<StreamStatistics> result;
    for (auto& [key, stream] : streams) {
        std::tie(stream.context, stream.stream) = key;
        result.push_back(stream);
    }
    return result;
}

std::vector<CallStatistics> count_calls(const Trace& trace) {
    std::map<NameId, Durations> groups;
    for (const auto& call : trace.api_calls) {
        groups[call.name].add(call.end - call.start);
    }
    std::vector<CallStatistics> result;
    for (const auto& [name, durations] : groups) {
        result.push_back({name, durations.count(), durations.total(), durations.median()});
    }
    std::ranges::stable_sort(result, std::greater{}, &CallStatistics::total);
    return result;
}

Duration device_span(const Trace& trace) {
    if (trace.activities.empty()) {
        return {};
    }
    auto first = trace.activities.front().start;
    auto last = trace.activities.front().end;
    for (const auto& activity : trace.activities) {
        first = std::min(first, activity.start);
        last = std::max(last, activity.end);
    }
    return last - first;
}

}  // namespace

TraceStatistics statistics_of(const Trace& trace) {
    TraceStatistics result;
    result.kinds = count_kinds(trace);
    result.kernels = count_kernels(trace);
    result.streams = count_streams(trace);
    result.calls = count_calls(trace);
    result.device_operations = trace.activities.size();
    result.device_span = device_span(trace);
    return result;
}

}  // namespace overcast
