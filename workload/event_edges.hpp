// Which wait waits for which recording of an event.
#pragma once

#include "core/trace.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace overcast {

/// Numbers the recordings of events in the order in which the host made them, and finds the one
/// that a wait means: by the recorder's own join, else by the correlation id of the recording call,
/// else the latest recording of that event so far.
class EventEdges {
public:
    EventIndex add(const EventRecording& recording);
    /// Absent where the recording lies outside the region: that wait is over at once.
    [[nodiscard]] std::optional<EventIndex> find(const Synchronisation& wait) const;
    [[nodiscard]] std::uint32_t count() const { return count_; }

private:
    std::uint32_t count_ = 0;
    std::unordered_map<EventSyncId, EventIndex> by_sync_;
    std::unordered_map<CorrelationId, EventIndex> by_correlation_;
    std::unordered_map<CudaEventId, EventIndex> latest_;
};

}  // namespace overcast
