// The hardware channels of one kind: who owns which, and what queues in each (rules 7, 8).
#pragma once

#include "core/ids.hpp"
#include "simulator/flight.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace overcast {

/// Kinds of hardware channels, and of the FIFO queues in them.
enum class ChannelKind : std::uint8_t { h2d, d2h, compute };
inline constexpr std::size_t kChannelKinds = 3;

/// Which stream owns which channel. It outlives one pass over a workload: a warm program finds its
/// channels as the pass before left them.
class ChannelOwnership {
public:
    /// `ids` in the order in which a fresh process takes them.
    explicit ChannelOwnership(std::vector<std::uint32_t> ids);

    /// The channel for an operation of `stream`, issued now: the one it owns as long as no other
    /// stream took it, else the least recently used of those that `idle(channel)`, else of all.
    /// Each use refreshes. Without `some_idle` none is, whatever `idle` says.
    template <typename Idle>
    std::uint32_t take(std::uint32_t stream, Idle idle, bool some_idle = true) {
        const auto owned = owned_by(stream);
        return use(owned ? *owned : some_idle ? least_recently_used(idle) : first_used_, stream);
    }
    /// A fixed channel per stream instead.
    std::uint32_t take_fixed(std::uint32_t stream);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
    [[nodiscard]] ChannelId id(std::uint32_t channel) const { return slots_[channel].id; }
    /// Channels from the lowest hardware id up.
    [[nodiscard]] const std::vector<std::uint32_t>& ascending() const { return ascending_; }
    /// Position of a channel in ascending().
    [[nodiscard]] std::uint32_t rank(std::uint32_t channel) const { return slots_[channel].rank; }

private:
    static constexpr std::uint32_t kNoChannel = std::numeric_limits<std::uint32_t>::max();

    struct Slot {
        ChannelId id{};
        std::uint32_t owner = 0;
        std::uint32_t rank = 0;
        std::uint32_t used_before = kNoChannel;  ///< the channel that was used last before this one
        std::uint32_t used_after = kNoChannel;
    };

    [[nodiscard]] std::optional<std::uint32_t> owned_by(std::uint32_t stream) const {
        if (stream >= of_stream_.size() || of_stream_[stream] == kNoChannel ||
            slots_[of_stream_[stream]].owner != stream) {
            return std::nullopt;
        }
        return of_stream_[stream];
    }
    std::uint32_t use(std::uint32_t channel, std::uint32_t stream);
    void refresh(std::uint32_t channel);

    template <typename Idle>
    std::uint32_t least_recently_used(Idle idle) const {
        auto channel = first_used_;
        while (channel != kNoChannel && !idle(channel)) {
            channel = slots_[channel].used_after;
        }
        return channel == kNoChannel ? first_used_ : channel;
    }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> ascending_;
    std::vector<std::uint32_t> of_stream_;  ///< last channel of each stream
    std::uint32_t first_used_ = 0;          ///< the least recently used channel
    std::uint32_t last_used_ = 0;
};

/// Through which the device reads its channels; every second one of a kind has the same
/// (docs/findings.md#two-engines-read-the-compute-channels).
inline constexpr std::uint32_t kHostEngines = 2;

/// One FIFO per channel. The head may be in service; it leaves when popped.
class ChannelSet {
public:
    ChannelSet(const ChannelOwnership& channels, Pool<Flight>& flights);

    void push(std::uint32_t channel, FlightIndex flight);
    /// One that waited for others when it was pushed does no longer.
    void dependencies_met(std::uint32_t channel) {
        dependent_ -= --queues_[channel].dependent == 0 ? 1U : 0U;
    }
    /// Removes the head; the new head, if any, is returned.
    FlightIndex pop(std::uint32_t channel, TimelineTime now);

    [[nodiscard]] FlightIndex head(std::uint32_t channel) const { return queues_[channel].head; }
    [[nodiscard]] std::uint32_t length(std::uint32_t channel) const {
        return queues_[channel].length;
    }

    /// Some of what it holds waits for others.
    [[nodiscard]] bool some_depend(std::uint32_t channel) const {
        return queues_[channel].dependent > 0;
    }
    /// So it is in each channel.
    [[nodiscard]] bool some_depend_in_each() const { return dependent_ == queues_.size(); }

    /// Since when it has held nothing; the end of time while it holds something.
    [[nodiscard]] TimelineTime empty_since(std::uint32_t channel) const {
        return queues_[channel].empty_since;
    }

    /// The head has nothing to wait for any more.
    void mark_eligible(std::uint32_t channel) { queues_[channel].head_eligible = true; }
    void mark_served(std::uint32_t channel);
    /// The head is eligible and not in service.
    [[nodiscard]] bool could_start(std::uint32_t channel) const {
        return queues_[channel].head_eligible && !queues_[channel].head_served;
    }
    /// The head waits for its dependencies.
    [[nodiscard]] bool head_depends(std::uint32_t channel) const {
        return queues_[channel].head != kNoFlight && !queues_[channel].head_eligible;
    }
    /// Channels whose head is not in service: counted for gaps and for the slow-down of H2D.
    [[nodiscard]] std::uint32_t waiting_channels() const {
        static_assert(kHostEngines == 2);
        return waiting_[0] + waiting_[1];
    }
    /// Of these, those that the engine of this channel serves.
    [[nodiscard]] std::uint32_t waiting_at_engine_of(std::uint32_t channel) const {
        return waiting_[queues_[channel].engine];
    }
    /// Entries of all channels that stand behind a head.
    [[nodiscard]] std::uint32_t entries_behind_heads() const { return behind_; }

private:
    struct Queue {
        FlightIndex head = kNoFlight;
        FlightIndex tail = kNoFlight;
        std::uint32_t length = 0;
        std::uint32_t dependent = 0;  ///< of these, how many wait for others
        std::uint32_t engine = 0;     ///< which serves it
        TimelineTime empty_since{};
        bool head_eligible = false;
        bool head_served = false;
    };
    std::vector<Queue> queues_;
    std::array<std::uint32_t, kHostEngines> waiting_{};  ///< by engine
    Pool<Flight>* flights_;
    std::uint32_t behind_ = 0;
    std::uint32_t dependent_ = 0;  ///< channels some of whose entries are
};

}  // namespace overcast
