#include "simulator/channel_set.hpp"

#include <algorithm>
#include <numeric>

namespace overcast {

ChannelOwnership::ChannelOwnership(std::vector<std::uint32_t> ids) : slots_(ids.size()) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        slots_[i].id = static_cast<ChannelId>(ids[i]);
        if (i > 0) {  // the first of the list is the least recently used
            slots_[i].used_before = last_used_;
            slots_[last_used_].used_after = static_cast<std::uint32_t>(i);
            last_used_ = static_cast<std::uint32_t>(i);
        }
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
    refresh(channel);
    return channel;
}

/// It becomes the one that was used last.
void ChannelOwnership::refresh(std::uint32_t channel) {
    if (channel == last_used_) {
        return;
    }
    const auto before = slots_[channel].used_before;
    const auto after = slots_[channel].used_after;
    (before == kNoChannel ? first_used_ : slots_[before].used_after) = after;
    slots_[after].used_before = before;
    slots_[last_used_].used_after = channel;
    slots_[channel].used_before = last_used_;
    slots_[channel].used_after = kNoChannel;
    last_used_ = channel;
}

std::uint32_t ChannelOwnership::take_fixed(std::uint32_t stream) { return stream % size(); }

/// Channels with even and with odd ids.
ChannelSet::ChannelSet(const ChannelOwnership& channels, Pool<Flight>& flights)
    : queues_(channels.size()), flights_{&flights} {
    for (std::uint32_t channel = 0; channel < channels.size(); ++channel) {
        queues_[channel].engine = static_cast<std::uint32_t>(channels.id(channel)) % kHostEngines;
    }
}

void ChannelSet::push(std::uint32_t channel, FlightIndex flight) {
    auto& queue = queues_[channel];
    if (queue.head == kNoFlight) {
        queue.head = flight;
        queue.empty_since = TimelineTime::max();
        ++waiting_[queue.engine];
    } else {
        (*flights_)[queue.tail].next_in_channel = flight;
        ++behind_;
    }
    queue.tail = flight;
    ++queue.length;
    if ((*flights_)[flight].pending > 0) {
        dependent_ += queue.dependent++ == 0 ? 1U : 0U;
    }
}

FlightIndex ChannelSet::pop(std::uint32_t channel, TimelineTime now) {
    auto& queue = queues_[channel];
    const auto next = (*flights_)[queue.head].next_in_channel;
    const bool stays = next != kNoFlight;
    // Once each: a sum of what has just been written would wait until that has reached the cache.
    waiting_[queue.engine] += (stays ? 1U : 0U) - (queue.head_served ? 0U : 1U);
    queue.head_served = false;
    queue.head_eligible = false;
    queue.head = next;
    --queue.length;
    if (stays) {
        --behind_;
    } else {
        queue.empty_since = now;
    }
    return next;
}

void ChannelSet::mark_served(std::uint32_t channel) {
    auto& queue = queues_[channel];
    if (!queue.head_served) {
        queue.head_served = true;
        --waiting_[queue.engine];
    }
}

}  // namespace overcast
