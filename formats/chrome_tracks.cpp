#include "formats/chrome_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

// Above every process, thread and stream number, below 2^31, which viewers keep.
constexpr std::uint64_t kFirstOwnNumber = 1'000'000'000;

}  // namespace

ChromeTracks::ChromeTracks(const Trace& trace) : trace_{trace}, next_tid_{kFirstOwnNumber} {
    for (const auto& context : trace.contexts) {
        devices_.emplace(context.context, context.device);
        device_pids_.emplace(number(context.device), context.device);
    }
    for (const auto& activity : trace.activities) {
        devices_.emplace(activity.context, activity.device);
        device_pids_.emplace(number(activity.device), activity.device);
    }
    // In a container a process can have the number of a device.
    const auto note_process = [&](ProcessId process) {
        if (device_pids_.contains(number(process))) {
            device_pid_offset_ = kFirstOwnNumber;
        }
    };
    for (const auto& call : trace.api_calls) {
        note_process(call.process);
    }
    for (const auto& range : trace.ranges) {
        note_process(range.process);
    }
    for (const auto& operation : trace.memory_operations) {
        note_process(operation.process);
    }
    if (!trace.api_calls.empty()) {
        first_process_ = number(trace.api_calls.front().process);
    }
}

std::optional<DeviceId> ChromeTracks::device_of(ContextId context) const {
    const auto found = devices_.find(context);
    return found == devices_.end() ? std::nullopt : std::optional{found->second};
}

std::uint64_t ChromeTracks::device_pid(DeviceId device) const {
    return device_pid_offset_ + number(device);
}

TrackId ChromeTracks::place(const Key& key, std::string_view name, TraceTime start, TraceTime end) {
    auto found = tracks_.find(key);
    if (found == tracks_.end()) {
        const auto nesting = key.group == Group::host || key.group == Group::overhead
                                 ? Nesting::allowed
                                 : Nesting::forbidden;
        found = tracks_.emplace(key, Track{TrackLanes{nesting}, {}, std::string{name}}).first;
    }
    auto& track = found->second;
    const auto lane = track.lanes.place(start.time_since_epoch(), end.time_since_epoch());
    while (track.tids.size() <= lane) {
        const bool has_own_number = key.group == Group::host || key.group == Group::stream;
        track.tids.push_back(has_own_number && track.tids.empty() ? key.id : next_tid_++);
    }
    return {key.pid, track.tids[lane]};
}

TrackId ChromeTracks::host(ProcessId process, ThreadId thread, TraceTime start, TraceTime end) {
    return place({number(process), Group::host, number(thread)}, "thread", start, end);
}

TrackId ChromeTracks::device(DeviceId device, StreamId stream, TraceTime start, TraceTime end) {
    return place({device_pid(device), Group::stream, number(stream)}, "stream", start, end);
}

TrackId ChromeTracks::synchronisation(ContextId context, TraceTime start, TraceTime end) {
    const auto device = device_of(context).value_or(DeviceId{0});
    return place({device_pid(device), Group::synchronisation, 0}, "synchronisation", start, end);
}

TrackId ChromeTracks::overhead(const Overhead& overhead) {
    const auto thread = overhead.thread ? number(*overhead.thread) : 0;
    return place({first_process_, Group::overhead, thread}, "overhead of thread", overhead.start,
                 overhead.end);
}

TrackId ChromeTracks::event_recording(ContextId context, StreamId stream) {
    const auto device = device_of(context).value_or(DeviceId{0});
    return {device_pid(device), number(stream)};
}

TrackId ChromeTracks::memory(ProcessId process) {
    // Points in time overlap nothing: one lane holds them all.
    return place({number(process), Group::memory, 0}, "memory", TraceTime{}, TraceTime{});
}

std::string ChromeTracks::process_name(std::uint64_t pid) const {
    const auto device = device_pids_.find(pid - device_pid_offset_);
    if (pid < device_pid_offset_ || device == device_pids_.end()) {
        return trace_.program.empty() ? "host" : trace_.program;
    }
    const auto known =
        std::find_if(trace_.devices.begin(), trace_.devices.end(),
                     [&](const DeviceProperties& each) { return each.id == device->second; });
    return fmt::format("GPU {}{}{}", number(device->second),
                       known == trace_.devices.end() ? "" : ": ",
                       known == trace_.devices.end() ? "" : known->name);
}

void ChromeTracks::write_names(ChromeEventWriter& writer) const {
    std::optional<std::uint64_t> pid;
    std::int64_t order = 0;
    for (const auto& [key, track] : tracks_) {
        if (pid != key.pid) {
            pid = key.pid;
            // Hosts first, as the work flows.
            const bool is_device = key.group >= Group::synchronisation;
            constexpr std::int64_t kBehindHosts = 1000;
            const auto rank = static_cast<std::int64_t>(key.pid % kFirstOwnNumber);
            writer.name_process(key.pid, process_name(key.pid),
                                is_device ? kBehindHosts + rank : 0);
            order = 0;
        }
        for (std::size_t lane = 0; lane < track.tids.size(); ++lane) {
            const bool numbered = key.group != Group::memory && key.group != Group::synchronisation;
            auto name = numbered ? fmt::format("{} {}", track.name, key.id) : track.name;
            if (lane > 0) {
                name += fmt::format(" (lane {})", lane + 1);
            }
            writer.name_thread({key.pid, track.tids[lane]}, name, order++);
        }
    }
}

}  // namespace overcast
