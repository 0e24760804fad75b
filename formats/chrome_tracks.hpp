// Decides on which track of a Chrome trace each record is shown.
#pragma once

#include "core/trace.hpp"
#include "formats/chrome_event_writer.hpp"
#include "formats/track_lanes.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// As in PyTorch's traces: the host's tracks have the process and thread as pid and tid, the
/// device's have device and stream. Further lanes and tracks that are neither have tids of their
/// own, which no thread or stream has.
class ChromeTracks {
public:
    explicit ChromeTracks(const Trace& trace);

    TrackId host(ProcessId process, ThreadId thread, TraceTime start, TraceTime end);
    TrackId device(DeviceId device, StreamId stream, TraceTime start, TraceTime end);
    TrackId synchronisation(ContextId context, TraceTime start, TraceTime end);
    TrackId overhead(const Overhead& overhead);
    TrackId event_recording(ContextId context, StreamId stream);
    TrackId memory(ProcessId process);

    [[nodiscard]] std::optional<DeviceId> device_of(ContextId context) const;
    /// Names of all processes and tracks that were handed out.
    void write_names(ChromeEventWriter& writer) const;

private:
    enum class Group : unsigned char { host, overhead, memory, synchronisation, stream };

    struct Key {
        std::uint64_t pid = 0;
        Group group{};
        std::uint64_t id = 0;
        auto operator<=>(const Key&) const = default;
    };

    struct Track {
        TrackLanes lanes;
        std::vector<std::uint64_t> tids;
        std::string name;
    };

    TrackId place(const Key& key, std::string_view name, TraceTime start, TraceTime end);
    [[nodiscard]] std::uint64_t device_pid(DeviceId device) const;
    [[nodiscard]] std::string process_name(std::uint64_t pid) const;

    const Trace& trace_;
    std::map<Key, Track> tracks_;
    std::map<ContextId, DeviceId> devices_;
    std::map<std::uint64_t, DeviceId> device_pids_;
    std::uint64_t first_process_ = 0;
    std::uint64_t device_pid_offset_ = 0;
    std::uint64_t next_tid_;
};

}  // namespace overcast
