#include "workload/replicate.hpp"

#include "workload/memory_needs.hpp"
#include "workload/new_streams.hpp"
#include "workload/program_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace overcast {
namespace {

/// Streams that a replica needs, and where each recorded stream stands among them.
struct ReplicaStreams {
    std::vector<Stream> streams;
    std::vector<std::uint32_t> offsets;  ///< by recorded stream
};

ReplicaStreams streams_of_one_replica(const Workload& workload, Warnings& warnings) {
    ReplicaStreams result;
    const auto used = streams_with_work(workload);
    result.offsets.resize(std::max<std::size_t>(workload.streams.size(), 1), 0);
    bool had_default = false;
    for (std::size_t i = 0; i < workload.streams.size(); ++i) {
        if (!used[i]) {
            continue;
        }
        result.offsets[i] = static_cast<std::uint32_t>(result.streams.size());
        auto stream = workload.streams[i];
        stream.recorded.reset();
        had_default = had_default || stream.kind == StreamKind::legacy_default;
        stream.kind = stream.kind == StreamKind::non_blocking ? StreamKind::non_blocking
                                                              : StreamKind::blocking;
        result.streams.push_back(stream);
    }
    if (had_default && result.streams.size() > 1) {
        add_warning(
            warnings,
            {"default-stream",
             "the recorded program uses the legacy default stream beside others; in the "
             "replicas it becomes an ordinary stream, and its implicit waits are left out"});
    }
    return result;
}

Strand everything(const Workload& workload) {
    Strand strand;
    strand.operations.resize(workload.operations.size());
    std::iota(strand.operations.begin(), strand.operations.end(), 0U);
    return strand;
}

/// A strand per host thread, so that each thread keeps its own host time.
std::vector<Strand> by_thread(const Workload& workload) {
    std::vector<Strand> strands(workload.threads);
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        strands[index(workload.operations[i].thread)].operations.push_back(i);
    }
    return strands;
}

}  // namespace

Workload replicate(const Workload& workload, const Configuration& configuration) {
    Warnings warnings;
    const auto one = streams_of_one_replica(workload, warnings);
    const auto width = static_cast<std::uint32_t>(one.streams.size());
    std::vector<Stream> streams;
    std::vector<Strand> strands;
    for (std::uint32_t replica = 0; replica < configuration.streams; ++replica) {
        streams.insert(streams.end(), one.streams.begin(), one.streams.end());
        strands.push_back(everything(workload));
        strands.back().replica = replica;
        strands.back().stream = replica * width;
    }
    ProgramWriter writer{workload, configuration, std::move(streams), one.offsets,
                         configuration.streams};
    for (const auto& warning : warnings) {
        add_warning(writer.result().warnings, warning);
    }
    writer.result().units = workload.units * configuration.streams;
    const auto order =
        configuration.order == IssueOrder::recorded ? IssueOrder::depth : configuration.order;
    writer.write(strands, order, configuration.sync);
    set_device_memory(writer.result(), configuration.streams, Bytes{});
    return writer.finish();
}

Workload as_recorded(const Workload& workload, const Configuration& configuration) {
    if (configuration.sync == SyncPolicy::keep) {
        return workload;
    }
    std::vector<std::uint32_t> offsets(std::max<std::size_t>(workload.streams.size(), 1));
    std::iota(offsets.begin(), offsets.end(), 0U);
    ProgramWriter writer{workload, configuration, workload.streams, std::move(offsets), 1};
    writer.keep_threads();
    writer.write(by_thread(workload), IssueOrder::recorded, configuration.sync);
    return writer.finish();
}

}  // namespace overcast
