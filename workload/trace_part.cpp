#include "workload/trace_part.hpp"

#include "core/error.hpp"
#include "workload/correlation_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace overcast {
namespace {

constexpr std::string_view kProfilerApi = "profiler-api";
constexpr std::string_view kNvtxPrefix = "nvtx:";

/// The key with the most device time; the smallest of equals, so that the choice is stable.
template <typename Key>
Key busiest(const std::map<Key, Duration>& work) {
    return std::max_element(
               work.begin(), work.end(),
               [](const auto& left, const auto& right) { return left.second < right.second; })
        ->first;
}

DeviceId choose_device(const Trace& trace, const ExtractOptions& options, Warnings& warnings) {
    std::map<DeviceId, Duration> work;
    for (const auto& activity : trace.activities) {
        work[activity.device] += activity.end - activity.start;
    }
    if (work.empty()) {
        throw Error(fmt::format(
            "{}: holds no copy, memset or kernel, so there is nothing to predict; record a "
            "program that uses the GPU",
            trace.source));
    }
    if (options.device) {
        if (!work.contains(*options.device)) {
            throw UsageError(fmt::format("{}: device {} has no work in this trace; device {} has",
                                         trace.source, number(*options.device),
                                         number(work.begin()->first)));
        }
        return *options.device;
    }
    const auto chosen = busiest(work);
    if (work.size() > 1) {
        add_warning(warnings, {"several-devices",
                               fmt::format("the trace holds work of {} devices; device {} has the "
                                           "most and is predicted, choose another with --device",
                                           work.size(), number(chosen))});
    }
    return chosen;
}

void choose_process(const Trace& trace, const ExtractOptions& options, TracePart& part,
                    Warnings& warnings) {
    std::map<ProcessId, Duration> work;
    std::vector<ProcessId> seen;
    for (const auto& call : trace.api_calls) {
        if (seen.empty() || seen.back() != call.process) {
            seen.push_back(call.process);
            work.try_emplace(call.process);
        }
    }
    if (options.process && !work.contains(*options.process)) {
        throw UsageError(fmt::format("{}: process {} made no CUDA call in this trace", trace.source,
                                     number(*options.process)));
    }
    part.several_processes = work.size() > 1;
    if (options.process) {
        part.process = options.process;
        return;
    }
    if (work.size() > 1) {
        const CorrelationIndex activities{trace.activities};
        for (const auto& call : trace.api_calls) {
            for (const auto i : activities.find(call.correlation)) {
                work[call.process] += trace.activities[i].end - trace.activities[i].start;
            }
        }
        const auto chosen = busiest(work);
        add_warning(warnings, {"several-processes",
                               fmt::format("the trace holds {} processes; process {} has the most "
                                           "device work and is predicted, choose another with "
                                           "--process",
                                           work.size(), number(chosen))});
        part.process = chosen;
    } else if (!work.empty()) {
        part.process = work.begin()->first;
    }
}

void take_range(TracePart& part, TraceTime begin, TraceTime end) {
    part.begin = begin;
    part.end = end;
}

void choose_recorded_range(const Trace& trace, TracePart& part, Warnings& warnings) {
    const auto& first = trace.recorded_ranges.front();
    take_range(part, first.start, first.end);
    part.warm = trace.range == kProfilerApi;
    if (trace.recorded_ranges.size() > 1) {
        add_warning(warnings, {"several-ranges",
                               fmt::format("{} ranges were recorded; the first one is predicted",
                                           trace.recorded_ranges.size())});
    }
}

/// cudaProfilerStart … Stop, where the recorder kept the whole program.
void choose_profiler_range(const Trace& trace, TracePart& part) {
    std::optional<TraceTime> begin;
    for (const auto& call : trace.api_calls) {
        const auto name = trace.names[call.name];
        if (!begin && (name == "cudaProfilerStart" || name == "cuProfilerStart")) {
            begin = call.end;
        } else if (begin && (name == "cudaProfilerStop" || name == "cuProfilerStop")) {
            take_range(part, *begin, call.start);
            part.warm = true;
            return;
        }
    }
    throw UsageError(fmt::format(
        "{}: --range profiler-api: the trace holds no cudaProfilerStart and Stop", trace.source));
}

void choose_nvtx_range(const Trace& trace, std::string_view name, TracePart& part,
                       Warnings& warnings) {
    const NamedRange* first = nullptr;
    std::size_t count = 0;
    for (const auto& range : trace.ranges) {
        if (trace.names[range.name] == name && (!part.process || range.process == *part.process)) {
            first = first == nullptr ? &range : first;
            ++count;
        }
    }
    if (first == nullptr) {
        throw UsageError(fmt::format("{}: --range nvtx:{}: the trace holds no such NVTX range",
                                     trace.source, name));
    }
    take_range(part, first->start, first->end);
    part.begins_on_host = true;
    // What holds for a recorded range holds for the part of it that has a name.
    part.warm = trace.range == kProfilerApi &&
                std::ranges::any_of(trace.recorded_ranges, [&](const auto& recorded) {
                    return recorded.start <= first->start && first->end <= recorded.end;
                });
    if (count > 1) {
        add_warning(warnings, {"several-ranges",
                               fmt::format("{} NVTX ranges are named \"{}\"; the first one is "
                                           "predicted",
                                           count, name)});
    }
}

}  // namespace

TracePart choose_part(const Trace& trace, const ExtractOptions& options, Warnings& warnings) {
    TracePart part;
    part.device = choose_device(trace, options, warnings);
    choose_process(trace, options, part, warnings);
    const std::string_view range = options.range;
    if (range.starts_with(kNvtxPrefix)) {
        choose_nvtx_range(trace, range.substr(kNvtxPrefix.size()), part, warnings);
    } else if (!range.empty() && range != kProfilerApi && range != "all") {
        throw UsageError(
            fmt::format("--range {}: must be all, profiler-api or nvtx:NAME", options.range));
    } else if (!trace.recorded_ranges.empty() && (range.empty() || trace.range == range)) {
        choose_recorded_range(trace, part, warnings);
    } else if (range == kProfilerApi) {
        choose_profiler_range(trace, part);
    }
    return part;
}

}  // namespace overcast
