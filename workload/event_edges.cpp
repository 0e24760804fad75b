#include "workload/event_edges.hpp"

namespace overcast {
namespace {

template <typename Key>
std::optional<EventIndex> look_up(const std::unordered_map<Key, EventIndex>& table, Key key) {
    const auto place = table.find(key);
    return place == table.end() ? std::nullopt : std::optional{place->second};
}

}  // namespace

EventIndex EventEdges::add(const EventRecording& recording) {
    const auto event = static_cast<EventIndex>(count_++);
    if (recording.event_sync) {
        by_sync_[*recording.event_sync] = event;
    }
    by_correlation_[recording.correlation] = event;
    latest_[recording.event] = event;
    return event;
}

std::optional<EventIndex> EventEdges::find(const Synchronisation& wait) const {
    if (wait.event_sync && number(*wait.event_sync) != 0) {
        return look_up(by_sync_, *wait.event_sync);
    }
    if (wait.record_correlation && number(*wait.record_correlation) != 0) {
        return look_up(by_correlation_, *wait.record_correlation);
    }
    return wait.event ? look_up(latest_, *wait.event) : std::nullopt;
}

}  // namespace overcast
