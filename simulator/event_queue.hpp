// Things that happen at a known time, in the order of (time, sequence number).
#pragma once

#include "core/units.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

/// What happens to the flight `flight` at `time`.
struct TimedEvent {
    enum class Kind : std::uint8_t {
        ready,     ///< dependencies met and visible to the device
        complete,  ///< work without an engine of its own is done
        returns,   ///< the call of the host thread `flight` is over
        join,      ///< a copy engine of this flight's kind may take another copy beside its own
    };
    TimelineTime time;
    std::uint64_t sequence = 0;
    std::uint32_t flight = 0;
    Kind kind{};
};

/// Binary heap, earliest first. Equal times keep the order of insertion on every machine.
class EventQueue {
public:
    /// Returns its sequence number.
    std::uint64_t push(TimelineTime time, TimedEvent::Kind kind, std::uint32_t flight) {
        heap_.emplace_back();
        sift_up({time, ++last_sequence_, flight, kind});
        return last_sequence_;
    }

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] const TimedEvent& top() const { return heap_.front(); }

    TimedEvent pop() {
        const TimedEvent first = heap_.front();
        const TimedEvent last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) {
            sift_down(last);
        }
        return first;
    }

private:
    static bool before(const TimedEvent& left, const TimedEvent& right) {
        return left.time != right.time ? left.time < right.time : left.sequence < right.sequence;
    }

    /// From the last place, which is free.
    void sift_up(const TimedEvent& moved) {
        std::size_t at = heap_.size() - 1;
        while (at > 0) {
            const std::size_t parent = (at - 1) / 2;
            if (!before(moved, heap_[parent])) {
                break;
            }
            heap_[at] = heap_[parent];
            at = parent;
        }
        heap_[at] = moved;
    }

    void sift_down(const TimedEvent& moved) {
        std::size_t at = 0;
        const std::size_t size = heap_.size();
        for (;;) {
            std::size_t child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && before(heap_[child + 1], heap_[child])) {
                ++child;
            }
            if (!before(heap_[child], moved)) {
                break;
            }
            heap_[at] = heap_[child];
            at = child;
        }
        heap_[at] = moved;
    }

    std::vector<TimedEvent> heap_;
    std::uint64_t last_sequence_ = 0;
};

}  // namespace overcast
