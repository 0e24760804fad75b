#include "workload/recorded_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

bool is_managed(const TracedCopy& copy) {
    return copy.source == MemoryKind::managed || copy.destination == MemoryKind::managed;
}

bool launches_were_blocking(const Trace& trace) {
    const auto place = trace.environment.find("CUDA_LAUNCH_BLOCKING");
    return place != trace.environment.end() && !place->second.empty() && place->second != "0";
}

}  // namespace

void warn_of_recorded_doubts(const Trace& trace, const TracePart& part,
                             const std::vector<OperationOrigin>& origins, Workload& workload) {
    std::uint64_t of_graphs = 0;
    std::uint64_t peer_copies = 0;
    bool managed = false;
    bool contexts = false;
    std::optional<ContextId> context;
    for (const auto& origin : origins) {
        if (!origin.activity) {
            continue;
        }
        const auto& activity = trace.activities[*origin.activity];
        contexts = contexts || (context && *context != activity.context);
        context = activity.context;
        of_graphs += activity.graph_node || activity.graph ? 1U : 0U;
        if (const auto* copy = std::get_if<TracedCopy>(&activity.what)) {
            peer_copies += copy->kind == CopyKind::peer_to_peer ? 1U : 0U;
            managed = managed || is_managed(*copy);
        }
    }
    managed =
        managed || std::any_of(trace.memory_operations.begin(), trace.memory_operations.end(),
                               [&](const auto& operation) {
                                   return operation.kind == MemoryKind::managed &&
                                          (!part.process || operation.process == *part.process);
                               });
    auto& warnings = workload.warnings;
    if (of_graphs > 0) {
        add_warning(warnings, {"cuda-graph",
                               fmt::format("{} operations belong to CUDA graphs; they are treated "
                                           "as issued one by one by the graph's launch",
                                           of_graphs)});
    }
    if (managed) {
        add_warning(warnings, {"managed-memory",
                               "the program uses managed memory; page migration is not modelled"});
    }
    if (peer_copies > 0) {
        add_warning(warnings,
                    {"peer-copy", fmt::format("{} copies go to another GPU; its side and the link "
                                              "between them are not modelled",
                                              peer_copies)});
    }
    if (contexts) {
        add_warning(warnings, {"several-contexts",
                               "the work belongs to several contexts; they are treated as one, "
                               "without the time slices between them"});
    }
    if (workload.threads > 1) {
        add_warning(warnings, {"host-threads",
                               fmt::format("{} host threads made CUDA calls; where they waited for "
                                           "each other was not recorded",
                                           workload.threads)});
    }
    if (launches_were_blocking(trace)) {
        add_warning(warnings, {"launch-blocking",
                               "CUDA_LAUNCH_BLOCKING was set: every launch waited; the prediction "
                               "is for a program without it"});
    }
}

}  // namespace overcast
