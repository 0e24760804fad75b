// How far blocks that run together have come.
#pragma once

#include "core/units.hpp"

#include <algorithm>

namespace overcast {

/// Ends closer than this fall together.
inline constexpr double kSameTimeNs = 0.5;
inline constexpr Duration kNoEnd = Duration::max();

/// Counted only when their speed changes: what runs on as before costs nothing, and no step of it
/// is rounded. Times are those of the SMs' own clock, which stands still while waves are skipped.
class BlockProgress {
public:
    BlockProgress(double work, Duration now) : left_{work}, since_{now} {}

    /// Of their time with an SM to themselves, ns.
    [[nodiscard]] double left(Duration now) const {
        return left_ - static_cast<double>((now - since_).count()) * speed_;
    }
    /// How fast that passes; 0 until it is known.
    [[nodiscard]] double speed() const { return speed_; }
    /// When nothing is left, to the nanosecond.
    [[nodiscard]] Duration end() const { return end_; }

    void set_speed(Duration now, double speed) {
        if (speed == speed_) {
            return;
        }
        left_ = left(now);
        since_ = now;
        speed_ = speed;
        find_end();
    }
    /// The next blocks take their places, each with `work` before it.
    void add(Duration now, double work) {
        left_ = left(now) + work;
        since_ = now;
        find_end();
    }
    /// From `now` on so much is left. The speed is to be set again.
    void set_left(Duration now, double left) {
        left_ = left;
        since_ = now;
        speed_ = 0;
    }

private:
    /// As round_to_duration() of what is not negative.
    void find_end() {
        end_ = since_ + Duration{static_cast<Duration::rep>(std::max(left_, 0.0) / speed_ + 0.5)};
    }

    double left_;
    Duration since_;
    double speed_ = 0;
    Duration end_ = kNoEnd;
};

}  // namespace overcast
