// The words that PyTorch's traces use for categories, copies, waits and overheads, both ways.
#pragma once

#include "core/operation_kinds.hpp"
#include "core/trace.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace overcast {

/// What an event describes, from its "cat".
enum class Category : std::uint8_t {
    kernel,
    gpu_memcpy,
    gpu_memset,
    cuda_runtime,
    cuda_driver,
    cuda_sync,
    cuda_event,
    overhead,
    user_annotation,
    memory,
};

std::optional<Category> parse_category(std::string_view text);
std::string_view to_string(Category category);

std::string_view to_string(MemoryKind kind);
std::optional<MemoryKind> parse_memory_kind(std::string_view text);

struct CopyName {
    CopyKind kind{};
    MemoryKind source{};
    MemoryKind destination{};
};

/// "Memcpy HtoD (Pinned -> Device)".
std::string copy_name(const CopyName& copy);
std::optional<CopyName> parse_copy_name(std::string_view text);

std::string_view to_string(SynchronisationKind kind);
std::optional<SynchronisationKind> parse_synchronisation_kind(std::string_view text);

std::string_view to_string(OverheadKind kind);
OverheadKind parse_overhead_kind(std::string_view text);

/// CUPTI's number for the type of a channel.
std::uint32_t channel_type_number(ChannelType type);
ChannelType channel_type_of(std::uint32_t number);

std::string_view to_string(StreamFlag flag);
StreamFlag parse_stream_flag(std::string_view text);

/// "cudaMemcpyAsync" for "cudaMemcpyAsync_v3020".
std::string_view without_abi_suffix(std::string_view call);

}  // namespace overcast
