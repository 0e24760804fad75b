// Quantities that cross folders: time on two clocks that cannot mix, bytes, bandwidth.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace overcast {

/// Every duration is a whole number of nanoseconds.
using Duration = std::chrono::nanoseconds;

/// The clock of a recording: nanoseconds as the recording program's clock gave them.
struct TraceClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<TraceClock>;
    static constexpr bool is_steady = true;
};

/// The clock of a Timeline: zero is the start of its region.
struct TimelineClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<TimelineClock>;
    static constexpr bool is_steady = true;
};

using TraceTime = TraceClock::time_point;
using TimelineTime = TimelineClock::time_point;

/// The one way from trace time to timeline time; `zero` is where the region starts.
constexpr TimelineTime to_timeline(TraceTime time, TraceTime zero) {
    return TimelineTime{time - zero};
}

/// The one rounding rule from fractional nanoseconds: to the nearest, halves away from zero.
/// Holds below 2^52 ns (52 days); no call of std::llround, which the simulator would feel.
constexpr Duration round_to_duration(double nanoseconds) {
    return Duration{
        static_cast<Duration::rep>(nanoseconds < 0 ? nanoseconds - 0.5 : nanoseconds + 0.5)};
}

constexpr double to_microseconds(Duration duration) {
    return static_cast<double>(duration.count()) / 1e3;
}

/// An amount of memory.
class Bytes {
public:
    constexpr Bytes() = default;
    constexpr explicit Bytes(std::uint64_t count) : count_{count} {}

    [[nodiscard]] constexpr std::uint64_t count() const { return count_; }

    constexpr auto operator<=>(const Bytes&) const = default;
    constexpr Bytes& operator+=(Bytes other) {
        count_ += other.count_;
        return *this;
    }
    friend constexpr Bytes operator+(Bytes left, Bytes right) { return left += right; }

private:
    std::uint64_t count_ = 0;
};

/// A rate of transfer.
class Bandwidth {
public:
    constexpr Bandwidth() = default;
    constexpr explicit Bandwidth(double bytes_per_s) : bytes_per_s_{bytes_per_s} {}

    [[nodiscard]] constexpr double bytes_per_s() const { return bytes_per_s_; }

private:
    double bytes_per_s_ = 0;
};

inline Duration operator/(Bytes amount, Bandwidth rate) {
    return round_to_duration(static_cast<double>(amount.count()) / rate.bytes_per_s() * 1e9);
}

}  // namespace overcast
