#include "workload/new_streams.hpp"

namespace overcast {

std::vector<bool> streams_with_work(const Workload& workload) {
    std::vector<bool> used(workload.streams.size(), false);
    for (const auto& operation : workload.operations) {
        if (enqueues_work(operation.action)) {
            used[index(operation.stream)] = true;
        }
    }
    return used;
}

std::vector<Stream> new_streams(const Workload& workload, std::uint32_t count) {
    const auto used = streams_with_work(workload);
    Stream stream;
    bool any = false;
    bool same_priority = true;
    stream.kind = StreamKind::non_blocking;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) {
            continue;
        }
        const auto& recorded = workload.streams[i];
        if (recorded.kind != StreamKind::non_blocking) {
            stream.kind = StreamKind::blocking;
        }
        same_priority = same_priority && (!any || recorded.priority == stream.priority);
        stream.priority = recorded.priority;
        any = true;
    }
    if (!same_priority) {
        stream.priority = 0;
    }
    return std::vector<Stream>(count, stream);
}

}  // namespace overcast
