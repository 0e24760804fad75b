// Timeline: when each operation of a Workload ran, and what it waited for. Measured and predicted
// timelines are the same type.
#pragma once

#include "core/ids.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace overcast {

/// The part of the machine that did the work.
enum class Engine : std::uint8_t { host, h2d, d2h, sm };

/// Why an operation did not start on the device as soon as it was issued: the last thing it waited
/// for.
enum class WaitReason : std::uint8_t {
    none,
    unknown,         ///< measured timelines cannot tell
    stream_order,    ///< the operation before it in its stream
    event,           ///< a recorded event
    default_stream,  ///< the legacy default stream, or the reverse
    channel,         ///< false dependency: another stream's operation at the head of the channel
    copy_engine,     ///< the engine served another copy
    sm_room,         ///< no SM had room for its blocks
};

std::string_view to_string(Engine engine);
std::string_view to_string(WaitReason reason);

/// `Workload::operations[i]` ran as `Timeline::entries[i]`.
struct TimelineEntry {
    TimelineTime call_start;
    TimelineTime call_end;
    TimelineTime device_start;  ///< equals device_end where the device had nothing to do
    TimelineTime device_end;
    ChannelId channel{};
    Engine engine = Engine::host;
    WaitReason waited_for = WaitReason::none;
    bool on_device = false;  ///< device times and channel mean something
};

struct Timeline {
    std::vector<TimelineEntry> entries;
    /// Return of the last synchronisation, or the last device end where there is none.
    Duration wall{};
    /// First device start to last device end; 0 where the device had nothing to do.
    Duration device{};
    Warnings warnings;
};

}  // namespace overcast
