// What the tracer knows about API functions by their names, so that a newer CUDA's numbering does
// not matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace overcast::injection {

/// "cudaMemcpyAsync_ptsz_v7000" → "cudaMemcpyAsync", "cuMemcpyHtoD_v2" → "cuMemcpyHtoD".
std::string_view without_abi_suffix(std::string_view name);

/// True for calls that only ask or set something on the host, made so often that recording them
/// would cost more than they do. Never true for a call that enqueues, waits or allocates.
bool is_noise(std::string_view name);

/// Where a function's argument structure holds the addresses: counted in 8-byte words. CUPTI hands
/// out arguments as a structure in declaration order.
struct AddressWords {
    std::uint32_t destination = 0;
    std::optional<std::uint32_t> source;
};

/// Nothing for functions that move no memory, or whose addresses lie deeper than their arguments.
std::optional<AddressWords> address_words(std::string_view name);

/// True for calls after which device records can no longer be had: they are fetched on entry.
bool ends_a_context(std::string_view name);

/// cudaProfilerStart and Stop, cuProfilerStart and Stop.
bool controls_the_profiler(std::string_view name);

/// Why a call is watched by a callback.
struct CallInterest {
    std::optional<AddressWords> addresses;
    bool ends_context = false;
    bool stops_profiler = false;
};

CallInterest interest_in(std::string_view name);

}  // namespace overcast::injection
