#include "formats/track_lanes.hpp"

namespace overcast {

std::size_t TrackLanes::place(Duration start, Duration end) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        auto& lane = lanes_[i];
        while (!lane.empty() && lane.back() <= start) {
            lane.pop_back();
        }
        if (lane.empty() || (nesting_ == Nesting::allowed && end <= lane.back())) {
            lane.push_back(end);
            return i;
        }
    }
    lanes_.push_back({end});
    return lanes_.size() - 1;
}

}  // namespace overcast
