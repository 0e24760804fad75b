// Fills the tables of a Workload from the ids of a Trace.
#pragma once

#include "core/trace.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace overcast {

/// Each function gives the index of what a trace knows under another name, and adds it to the
/// workload on first sight.
class WorkloadTables {
public:
    WorkloadTables(const Trace& trace, Workload& workload);

    NameId name(NameId traced);
    StreamIndex stream(ContextId context, StreamId stream);
    KernelIndex kernel(const TracedKernel& kernel);
    std::optional<BufferIndex> buffer(std::optional<Address> address, MemoryKind kind, Bytes bytes);
    ThreadIndex thread(ThreadId thread);
    [[nodiscard]] std::optional<ThreadIndex> known_thread(ThreadId thread) const;

private:
    struct KernelKey {
        NameId name{};
        KernelShape shape;
        bool operator==(const KernelKey&) const = default;
    };
    struct KernelKeyHash {
        std::size_t operator()(const KernelKey& key) const;
    };

    [[nodiscard]] Stream properties_of(ContextId context, StreamId stream) const;

    const Trace& trace_;
    Workload& workload_;
    std::vector<std::optional<NameId>> names_;
    std::unordered_map<std::uint64_t, StreamIndex> streams_;
    std::unordered_map<KernelKey, KernelIndex, KernelKeyHash> kernels_;
    std::unordered_map<Address, BufferIndex> buffers_;
    std::unordered_map<ThreadId, ThreadIndex> threads_;
};

}  // namespace overcast
