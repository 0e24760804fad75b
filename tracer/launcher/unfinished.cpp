#include "tracer/launcher/unfinished.hpp"

#include <set>
#include <tuple>
#include <type_traits>

namespace overcast {
namespace {

/// Appends the items of `more` whose key no item of `list` has.
template <typename Item, typename Key>
void add_missing(std::vector<Item>& list, const std::vector<Item>& more, Key key) {
    // The snapshot is small and the list may be long: the keys of the snapshot are kept.
    std::set<std::invoke_result_t<Key, const Item&>> missing;
    for (const auto& item : more) {
        missing.insert(key(item));
    }
    for (const auto& item : list) {
        missing.erase(key(item));
    }
    for (const auto& item : more) {
        if (missing.erase(key(item)) > 0) {
            list.push_back(item);
        }
    }
}

/// Takes the names along from one table to another.
class Renaming {
public:
    Renaming(const NameTable& from, NameTable& to) : from_{from}, to_{to} {}
    NameId operator()(NameId name) const { return to_.intern(from_[name]); }

private:
    const NameTable& from_;
    NameTable& to_;
};

/// `item` lies between the start of the recording and the making of the snapshot.
class Plausible {
public:
    Plausible(const Spooled& spooled, const Spooled& snapshot)
        : from_{Duration{static_cast<std::int64_t>(spooled.started_ns)}},
          to_{Duration{static_cast<std::int64_t>(snapshot.started_ns)}} {}

    template <typename Item>
    bool operator()(const Item& item) const {
        return from_ <= item.start && item.start <= item.end && item.end <= to_;
    }

private:
    TraceTime from_;
    TraceTime to_;
};

}  // namespace

void add_unfinished(Spooled& spooled, const Spooled& snapshot) {
    auto& trace = spooled.trace;
    auto more = snapshot.trace;
    auto edges = snapshot.range_edges;
    const Renaming rename{snapshot.trace.names, trace.names};
    for (auto& call : more.api_calls) {
        call.name = rename(call.name);
    }
    for (auto& activity : more.activities) {
        if (auto* const kernel = std::get_if<TracedKernel>(&activity.what)) {
            kernel->name = rename(kernel->name);
        }
    }
    for (auto& edge : edges) {
        edge.name = rename(edge.name);
    }
    const Plausible plausible{spooled, snapshot};
    const auto impossible = [&](const auto& item) { return !plausible(item); };
    std::erase_if(more.api_calls, impossible);
    std::erase_if(more.activities, impossible);
    std::erase_if(more.synchronisations, impossible);
    std::erase_if(more.overheads, impossible);

    add_missing(trace.api_calls, more.api_calls,
                [](const ApiCall& call) { return std::tuple(call.correlation, call.domain); });
    add_missing(trace.activities, more.activities, [](const DeviceActivity& activity) {
        return std::tuple(activity.correlation, activity.graph_node, activity.what.index());
    });
    add_missing(trace.synchronisations, more.synchronisations, [](const Synchronisation& sync) {
        return std::tuple(sync.correlation, sync.start);
    });
    add_missing(trace.event_recordings, more.event_recordings, [](const EventRecording& event) {
        return std::tuple(event.correlation, event.event_sync);
    });
    add_missing(trace.memory_operations, more.memory_operations, [](const MemoryOperation& memory) {
        return std::tuple(memory.correlation, memory.address, memory.release);
    });
    add_missing(trace.overheads, more.overheads, [](const Overhead& overhead) {
        return std::tuple(overhead.start, overhead.end, overhead.kind);
    });
    add_missing(trace.contexts, more.contexts,
                [](const ContextProperties& context) { return context.context; });
    add_missing(trace.streams, more.streams, [](const StreamProperties& stream) {
        return std::tuple(stream.context, stream.stream);
    });
    add_missing(trace.devices, more.devices,
                [](const DeviceProperties& device) { return device.id; });
    add_missing(spooled.range_edges, edges,
                [](const RangeEdge& edge) { return std::tuple(edge.id, edge.starts); });
}

}  // namespace overcast
