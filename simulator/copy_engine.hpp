// One copy engine: what it copies, how fast, and which channel it serves next (rules 3, 4, 5, 9).
#pragma once

#include "core/units.hpp"
#include "model/device_model.hpp"
#include "simulator/channel_set.hpp"
#include "simulator/flight.hpp"

#include <algorithm>
#include <cstdint>

namespace overcast {

inline constexpr TimelineTime kNever = TimelineTime::max();

class CopyEngine {
public:
    /// Starts a copy no earlier than `now`, and not before the turn-around after the last one.
    /// Returns when it starts.
    TimelineTime start(TimelineTime now, FlightIndex flight, std::uint32_t channel,
                       Duration duration, Duration turnaround_same, Duration turnaround_other) {
        const auto turnaround = channel == channel_ ? turnaround_same : turnaround_other;
        const auto begin = used_ ? std::max(now, last_end_ + turnaround) : now;
        flight_ = flight;
        channel_ = channel;
        remaining_ns_ = static_cast<double>(duration.count());
        updated_ = begin;
        rate_ = 1;
        used_ = true;
        completion_ = begin + duration;
        return begin;
    }

    /// From `now` on the copy progresses at `rate` of its speed alone.
    void set_rate(TimelineTime now, double rate) {
        if (!busy() || rate == rate_) {
            return;
        }
        if (now > updated_) {
            remaining_ns_ -= static_cast<double>((now - updated_).count()) * rate_;
            updated_ = now;
        }
        rate_ = rate;
        completion_ = updated_ + round_to_duration(std::max(remaining_ns_, 0.0) / rate_);
    }

    /// The copy is done.
    FlightIndex finish() {
        const auto flight = flight_;
        last_end_ = completion_;
        flight_ = kNoFlight;
        completion_ = kNever;
        return flight;
    }

    [[nodiscard]] bool busy() const { return flight_ != kNoFlight; }
    [[nodiscard]] TimelineTime completion() const { return completion_; }
    [[nodiscard]] std::uint32_t channel() const { return channel_; }

private:
    TimelineTime completion_ = kNever;
    TimelineTime updated_{};
    TimelineTime last_end_{};
    double remaining_ns_ = 0;
    double rate_ = 1;
    FlightIndex flight_ = kNoFlight;
    std::uint32_t channel_ = 0;
    bool used_ = false;
};

}  // namespace overcast
