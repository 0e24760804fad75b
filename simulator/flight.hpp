// Operations between their issue and their completion.
#pragma once

#include "core/timeline.hpp"
#include "core/units.hpp"
#include "model/gap_model.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace overcast {

using FlightIndex = std::uint32_t;
inline constexpr FlightIndex kNoFlight = std::numeric_limits<FlightIndex>::max();

/// What the device has to do for an operation.
enum class FlightKind : std::uint8_t {
    h2d,            ///< a copy engine
    d2h,            ///< a copy engine
    kernel,         ///< blocks on SMs; D2D copies and memsets too (24)
    inline_copy,    ///< a small copy in the compute channel (24)
    host_function,  ///< a driver thread
    marker,         ///< event record or wait: no work
};

/// As many as the channels hold are kept, more than fits the nearest caches: each in two lines.
struct alignas(64) Flight {
    TimelineTime heard;      ///< when the device hears of it: with its call's return, or before
    TimelineTime visible;    ///< the device can see it
    TimelineTime ready;      ///< latest of `visible` and every dependency met so far
    TimelineTime in_time{};  ///< of a copy: a busy engine knows it if it goes on until then
    /// From then on its channel, if it looks, finds done what it waits for; never where it does not
    /// have to look.
    TimelineTime seen_from = TimelineTime::max();
    std::uint64_t armed = 0;  ///< number of the event at which it is ready; 0: there is none
    Duration duration{};      ///< with its engine to itself; for kernels the time of one block
    Duration beyond{};        ///< of a kernel: from the end of its last block to its own end
    Bytes bytes{};            ///< of a copy; of a kernel, also at markers behind it: into the L2
    Duration moving{};        ///< of an engine's copy: on the link; the rest is latency
    std::uint32_t operation = 0;
    std::uint32_t stream = 0;
    std::uint32_t channel = 0;               ///< index in its kind's ChannelSet
    std::uint32_t kernel = 0;                ///< index of its demand, for kernels
    std::uint32_t pending = 0;               ///< dependencies not met yet
    std::uint32_t early_thread = kNoFlight;  ///< host thread whose call returns before the end
    FlightIndex next_in_channel = kNoFlight;
    FlightIndex next_in_stream = kNoFlight;
    std::uint32_t first_edge = kNoFlight;  ///< others that wait for it
    FlightKind kind{};
    WaitReason reason = WaitReason::none;
    bool dependency_in_channel =
        false;                    ///< the operation before it in its stream shares its channel
    bool behind_event = false;    ///< a wait for an event stands before it in its stream
    std::optional<GapSide> side;  ///< how the gap after it is counted
};

/// Whether a channel looks from time to time if the operation before the flight in its stream is
/// done: where that is work of another kind.
inline bool looked_for(std::optional<GapSide> earlier, const Flight& flight) {
    return earlier != flight.side;
}

/// A flight or a host thread that waits for a flight.
struct Edge {
    enum class Waiter : std::uint8_t { flight, thread };
    std::uint32_t waiter = 0;
    std::uint32_t next = kNoFlight;
    Waiter kind{};
    WaitReason reason{};
};

/// Soon to be read. Whether there is anything at all at that place does not matter.
template <typename T>
void prefetch(const T* soon) {
    constexpr std::uintptr_t kLine = 64;
    const auto first = reinterpret_cast<std::uintptr_t>(soon);
    for (auto at = first; at < first + sizeof(T); at += kLine) {
        __builtin_prefetch(reinterpret_cast<const void*>(at));
    }
}

/// Slots that are used again, so that memory follows the work in flight and not the trace.
template <typename T>
class Pool {
public:
    /// A new T in the slot that keep() takes next, to be filled there: a copy of what has just been
    /// written, field by field, would wait until all of it has reached the cache.
    T& next() {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(slots_.size()));
            slots_.emplace_back();
        }
        static constexpr T kNew{};  // copied: faster than to clear it field by field
        return slots_[free_.back()] = kNew;
    }
    std::uint32_t keep() {
        const auto slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void remove(std::uint32_t slot) { free_.push_back(slot); }

    /// Soon to be read; nothing happens where there is no such slot.
    void prefetch(std::uint32_t slot) const {
        if (slot < slots_.size()) {
            overcast::prefetch(&slots_[slot]);
        }
    }

    T& operator[](std::uint32_t slot) { return slots_[slot]; }
    const T& operator[](std::uint32_t slot) const { return slots_[slot]; }

private:
    std::vector<T> slots_;
    std::vector<std::uint32_t> free_;
};

}  // namespace overcast
