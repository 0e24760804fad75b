// What the names of CUDA runtime and driver calls mean. The one table to extend for a new call.
#pragma once

#include <cstdint>
#include <string_view>

namespace overcast {

enum class CallMeaning : std::uint8_t {
    copy,
    memset,
    kernel_launch,
    graph_launch,
    event_record,
    event_wait,
    host_function,
    synchronise_stream,
    synchronise_device,
    synchronise_event,
    query_stream,  ///< polls; a loop of polls is a wait
    query_event,   ///< polls; a loop of polls is a wait
    release,       ///< waits for the device
    allocation,    ///< of device memory: may wait for copies to the device
    recorder,      ///< cudaProfilerStart and Stop: not part of the program
    noise,         ///< asks for something known: its time belongs to the host
    other,
};

/// `name` is an API name with or without "_v2", "_ptsz" and the like. Unknown names are `other`.
CallMeaning meaning_of(std::string_view name);

/// True for calls that are expected to put work on the device.
constexpr bool enqueues_work(CallMeaning meaning) {
    return meaning == CallMeaning::copy || meaning == CallMeaning::memset ||
           meaning == CallMeaning::kernel_launch || meaning == CallMeaning::graph_launch;
}

/// True for calls in which the host waits for the device because the program asked for it.
constexpr bool synchronises(CallMeaning meaning) {
    return meaning == CallMeaning::synchronise_stream ||
           meaning == CallMeaning::synchronise_device || meaning == CallMeaning::synchronise_event;
}

/// True for calls that map or unmap memory of the device.
constexpr bool handles_memory(CallMeaning meaning) {
    return meaning == CallMeaning::release || meaning == CallMeaning::allocation;
}

constexpr bool polls(CallMeaning meaning) {
    return meaning == CallMeaning::query_stream || meaning == CallMeaning::query_event;
}

}  // namespace overcast
