#include "workload/workload_tables.hpp"

#include <algorithm>

namespace overcast {
namespace {

// Assumes: without a record that says which stream is the null stream, it is 7, the number that
// CUPTI gives it in the first context of a process.
constexpr StreamId kUsualNullStream{7};

bool null_stream_is_known(const Trace& trace, ContextId context) {
    return std::any_of(trace.contexts.begin(), trace.contexts.end(),
                       [&](const auto& known) {
                           return known.context == context && known.null_stream.has_value();
                       }) ||
           std::any_of(trace.streams.begin(), trace.streams.end(), [&](const auto& known) {
               return known.context == context && known.flag == StreamFlag::legacy_default;
           });
}

StreamKind kind_of(const Trace& trace, ContextId context, StreamId stream, StreamFlag flag) {
    for (const auto& known : trace.contexts) {
        if (known.context == context && known.null_stream == stream) {
            return StreamKind::legacy_default;
        }
    }
    switch (flag) {
        case StreamFlag::legacy_default: return StreamKind::legacy_default;
        case StreamFlag::non_blocking: return StreamKind::non_blocking;
        case StreamFlag::blocking: return StreamKind::blocking;
        case StreamFlag::unknown: break;
    }
    if (stream == kUsualNullStream && !null_stream_is_known(trace, context)) {
        return StreamKind::legacy_default;
    }
    // Assumes: PyTorch's streams, of which its traces give no flags, are non-blocking, as its
    // stream pool creates them; elsewhere CUDA's own default holds.
    return trace.producer.starts_with("kineto") ? StreamKind::non_blocking : StreamKind::blocking;
}

}  // namespace

WorkloadTables::WorkloadTables(const Trace& trace, Workload& workload)
    : trace_{trace}, workload_{workload}, names_(trace.names.size()) {}

NameId WorkloadTables::name(NameId traced) {
    auto& known = names_[index(traced)];
    if (!known) {
        known = workload_.names.intern(trace_.names[traced]);
    }
    return *known;
}

Stream WorkloadTables::properties_of(ContextId context, StreamId stream) const {
    Stream result;
    result.recorded = stream;
    auto flag = StreamFlag::unknown;
    for (const auto& known : trace_.streams) {
        if (known.context == context && known.stream == stream) {
            flag = known.flag;
            result.priority = known.priority.value_or(0);
        }
    }
    result.kind = kind_of(trace_, context, stream, flag);
    return result;
}

StreamIndex WorkloadTables::stream(ContextId context, StreamId stream) {
    const auto key = (std::uint64_t{number(context)} << 32U) | number(stream);
    const auto [place, added] =
        streams_.try_emplace(key, static_cast<StreamIndex>(workload_.streams.size()));
    if (added) {
        if (number(context) == 0) {  // not recorded; CUPTI counts contexts from 1
            for (std::size_t i = 0; i < workload_.streams.size(); ++i) {
                if (workload_.streams[i].recorded == stream) {
                    place->second = static_cast<StreamIndex>(i);
                    return place->second;
                }
            }
        }
        workload_.streams.push_back(properties_of(context, stream));
    }
    return place->second;
}

std::size_t WorkloadTables::KernelKeyHash::operator()(const KernelKey& key) const {
    // FNV-1a over what tells launches of one program apart; equality looks at the rest.
    std::uint64_t hash = 14695981039346656037ULL;
    for (const std::uint64_t part :
         {std::uint64_t{number(key.name)}, std::uint64_t{key.shape.grid.x},
          std::uint64_t{key.shape.grid.y}, std::uint64_t{key.shape.grid.z},
          std::uint64_t{key.shape.block.x}, key.shape.dynamic_shared_memory.count()}) {
        hash = (hash ^ part) * 1099511628211ULL;
    }
    return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

KernelIndex WorkloadTables::kernel(const TracedKernel& kernel) {
    const auto [place, added] = kernels_.try_emplace(
        KernelKey{kernel.name, kernel.shape}, static_cast<KernelIndex>(workload_.kernels.size()));
    if (added) {
        const auto counted =
            std::ranges::find_if(trace_.counters, [&](const KernelCounters& counters) {
                return counters.is_of(kernel.name, kernel.shape);
            });
        const auto read = std::ranges::find(trace_.code, kernel.name, &KernelCode::name);
        workload_.kernels.push_back(
            {name(kernel.name), kernel.shape,
             counted == trace_.counters.end() ? std::nullopt : std::optional{*counted},
             read == trace_.code.end() ? std::nullopt : std::optional{*read}});
    }
    return place->second;
}

std::optional<BufferIndex> WorkloadTables::buffer(std::optional<Address> address, MemoryKind kind,
                                                  Bytes bytes) {
    if (!address) {
        return std::nullopt;
    }
    const auto [place, added] =
        buffers_.try_emplace(*address, static_cast<BufferIndex>(workload_.buffers.size()));
    if (added) {
        workload_.buffers.push_back({kind, *address, bytes});
    } else {
        auto& known = workload_.buffers[index(place->second)];
        known.bytes = std::max(known.bytes.value_or(Bytes{}), bytes);
    }
    return place->second;
}

ThreadIndex WorkloadTables::thread(ThreadId thread) {
    const auto next = static_cast<ThreadIndex>(threads_.size());
    return threads_.try_emplace(thread, next).first->second;
}

std::optional<ThreadIndex> WorkloadTables::known_thread(ThreadId thread) const {
    const auto place = threads_.find(thread);
    return place == threads_.end() ? std::nullopt : std::optional{place->second};
}

}  // namespace overcast
