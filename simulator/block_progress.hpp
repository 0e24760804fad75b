// How far blocks that run together have come.
#pragma once

#include "core/units.hpp"

namespace overcast {

/// Ends closer than this fall together.
inline constexpr double kSameTimeNs = 0.5;
inline constexpr Duration kNoEnd = Duration::max();

/// Where nothing holds them up, it is counted only when that changes: no step of it is rounded, and
/// what runs on as before costs nothing. Others are counted at each step of the device.
/// Times are those of the SMs' own clock, which stands still while waves are skipped.
class BlockProgress {
public:
    BlockProgress(double work, Duration now) : left_{work}, since_{now} {}

    /// Of their time with an SM to themselves, ns.
    [[nodiscard]] double left(Duration now) const {
        return left_ - static_cast<double>((now - since_).count()) * speed_;
    }
    [[nodiscard]] bool done(Duration now) const { return left(now) <= kSameTimeNs; }
    /// How fast that passes; 0 until it is known.
    [[nodiscard]] double speed() const { return speed_; }
    /// When nothing is left.
    [[nodiscard]] Duration end() const { return end_; }
    /// Before that they are not done.
    [[nodiscard]] Duration soonest() const { return soonest_; }

    [[nodiscard]] bool at_full_speed() const { return speed_ == 1; }

    void set_speed(Duration now, double speed) {
        if (speed == speed_ && at_full_speed()) {
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
    void find_end() {
        const auto left = left_ > 0 ? left_ : 0;
        end_ = since_ + round_to_duration(left / speed_);
        soonest_ = at_full_speed() && left > kSameTimeNs
                       ? since_ + Duration{static_cast<Duration::rep>(left - kSameTimeNs)}
                       : since_;
    }

    double left_;
    Duration since_;
    double speed_ = 0;
    Duration end_ = kNoEnd;
    Duration soonest_ = kNoEnd;
};

}  // namespace overcast
