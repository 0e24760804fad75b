#include "simulator/channel_set.hpp"

#include <algorithm>
#include <numeric>

namespace overcast {

ChannelOwnership::ChannelOwnership(std::vector<std::uint32_t> ids) : slots_(ids.size()) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        slots_[i].id = static_cast<ChannelId>(ids[i]);
        slots_[i].last_use = uses_++;  // the first of the list is the least recently used
    }
    ascending_.resize(ids.size());
    std::iota(ascending_.begin(), ascending_.end(), 0U);
    std::sort(ascending_.begin(), ascending_.end(),
              [&](std::uint32_t left, std::uint32_t right) { return ids[left] < ids[right]; });
    for (std::uint32_t rank = 0; rank < ascending_.size(); ++rank) {
        slots_[ascending_[rank]].rank = rank;
    }
}

std::uint32_t ChannelOwnership::use(std::uint32_t channel, std::uint32_t stream) {
    if (stream >= of_stream_.size()) {
        of_stream_.resize(stream + 1, kNoChannel);
    }
    of_stream_[stream] = channel;
    slots_[channel].owner = stream;
    slots_[channel].last_use = uses_++;
    return channel;
}

std::uint32_t ChannelOwnership::take_fixed(std::uint32_t stream) { return stream % size(); }

void ChannelSet::push(std::uint32_t channel, FlightIndex flight) {
    auto& queue = queues_[channel];
    if (queue.head == kNoFlight) {
        queue.head = flight;
        queue.empty_since = TimelineTime::max();
        ++waiting_;
    } else {
        (*flights_)[queue.tail].next_in_channel = flight;
        ++behind_;
    }
    queue.tail = flight;
    ++queue.length;
}

FlightIndex ChannelSet::pop(std::uint32_t channel, TimelineTime now) {
    auto& queue = queues_[channel];
    if (!queue.head_served) {
        --waiting_;
    }
    queue.head_served = false;
    queue.head = (*flights_)[queue.head].next_in_channel;
    --queue.length;
    if (queue.head != kNoFlight) {
        ++waiting_;
        --behind_;
    } else {
        queue.empty_since = now;
    }
    return queue.head;
}

void ChannelSet::mark_served(std::uint32_t channel) {
    auto& queue = queues_[channel];
    if (!queue.head_served) {
        queue.head_served = true;
        --waiting_;
    }
}

}  // namespace overcast
