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

/// What a call has to do with streams, events and their order.
enum class Ordering : std::uint8_t {
    none,
    waits_for_stream,
    waits_for_context,
    waits_for_event,
    stream_waits,  ///< for an event
    records,       ///< an event
    destroys,      ///< an event
    begins_capture,
    ends_capture,
};

/// What the call is, and which of its arguments, counted from 0, are the stream and the event.
struct OrderingCall {
    Ordering ordering = Ordering::none;
    std::uint32_t stream = 0;
    std::uint32_t event = 0;
    bool per_thread_stream = false;  ///< no stream means the thread's own
};

OrderingCall ordering_of(std::string_view name);

/// Why a call is watched by a callback.
struct CallInterest {
    std::optional<AddressWords> addresses;
    bool ends_context = false;
    bool stops_profiler = false;
    OrderingCall order;

    [[nodiscard]] bool any() const {
        return addresses || ends_context || stops_profiler || order.ordering != Ordering::none;
    }
};

/// `orders`: those for the sake of their order, too.
CallInterest interest_in(std::string_view name, bool orders);

}  // namespace overcast::injection
