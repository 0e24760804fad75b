// One copy engine: what it copies, how fast, and which channel it serves next (rules 3, 4, 5, 9).
#pragma once

#include "core/units.hpp"
#include "model/device_model.hpp"
#include "simulator/channel_set.hpp"
#include "simulator/flight.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

inline constexpr TimelineTime kNever = TimelineTime::max();

/// Serves one copy at a time, or several that share its rate (fair share).
class CopyEngine {
public:
    /// Starts a copy no earlier than `now`, and not before the turn-around after the last one, at
    /// the rate that was set last. Returns when it starts.
    TimelineTime start(TimelineTime now, FlightIndex flight, std::uint32_t channel,
                       Duration duration, Duration turnaround_same, Duration turnaround_other) {
        if (busy()) {
            advance(now);
        } else {
            const auto turnaround = channel == channel_ ? turnaround_same : turnaround_other;
            updated_ = used_ ? std::max(now, last_end_ + turnaround) : now;
        }
        copies_.push_back({flight, channel, static_cast<double>(duration.count())});
        used_ = true;
        find_next();
        last_start_ = updated_;
        return updated_;
    }

    /// From `now` on the copies, of which there are some, take `slow_down` times as long as with
    /// the engine's speed alone.
    void set_slow_down(TimelineTime now, double slow_down) {
        if (slow_down == slow_down_) {
            return;
        }
        advance(now);
        slow_down_ = slow_down;
        rate_ = 1 / slow_down;
        find_next();
    }

    /// The copy that ends first is done.
    FlightIndex finish() {
        if (copies_.size() > 1) {
            advance(completion_);
        }
        const auto flight = copies_[next_].flight;
        last_end_ = completion_;
        copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(next_));
        find_next();
        return flight;
    }

    [[nodiscard]] bool busy() const { return !copies_.empty(); }
    [[nodiscard]] TimelineTime completion() const { return completion_; }
    /// Of the copy that ends first; idle: of the last one.
    [[nodiscard]] std::uint32_t channel() const { return channel_; }
    /// When the latest copy started.
    [[nodiscard]] TimelineTime last_start() const { return last_start_; }

private:
    struct Running {
        FlightIndex flight = kNoFlight;
        std::uint32_t channel = 0;
        double remaining_ns = 0;  ///< with the engine to itself
    };

    [[nodiscard]] double share() const {
        return copies_.size() == 1 ? rate_ : rate_ / static_cast<double>(copies_.size());
    }

    void advance(TimelineTime now) {
        if (now > updated_) {
            const double done = static_cast<double>((now - updated_).count()) * share();
            for (auto& copy : copies_) {
                copy.remaining_ns -= done;
            }
            updated_ = now;
        }
    }

    void find_next() {
        if (copies_.empty()) {
            completion_ = kNever;
            return;
        }
        next_ = 0;
        for (std::size_t i = 1; i < copies_.size(); ++i) {
            if (copies_[i].remaining_ns < copies_[next_].remaining_ns) {
                next_ = i;
            }
        }
        channel_ = copies_[next_].channel;
        completion_ =
            updated_ + round_to_duration(std::max(copies_[next_].remaining_ns, 0.0) / share());
    }

    std::vector<Running> copies_;
    std::size_t next_ = 0;  ///< of the copies, the one that ends first
    TimelineTime completion_ = kNever;
    TimelineTime updated_{};
    TimelineTime last_start_{};
    TimelineTime last_end_{};
    double slow_down_ = 1;
    double rate_ = 1;  ///< 1 / slow_down_: a division less at each step
    std::uint32_t channel_ = 0;
    bool used_ = false;
};

}  // namespace overcast
