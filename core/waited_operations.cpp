#include "core/waited_operations.hpp"

#include "core/ids.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace overcast {
namespace {

using Found = std::optional<std::size_t>;

/// Operations by a time of theirs, for "the last one not after …".
class ByTime {
public:
    void add(TimelineTime time, std::size_t operation) { entries_.push_back({time, operation}); }
    void sort() { std::ranges::sort(entries_); }

    /// The last whose time is at most `time`, `except` left out.
    [[nodiscard]] Found last(TimelineTime time, std::size_t except) const {
        auto place = std::ranges::upper_bound(entries_, time, {}, &Entry::time);
        while (place != entries_.begin()) {
            --place;
            if (place->operation != except) {
                return place->operation;
            }
        }
        return std::nullopt;
    }

private:
    struct Entry {
        TimelineTime time;
        std::size_t operation = 0;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries_;
};

class WaitedOperations {
public:
    WaitedOperations(const Workload& workload, const Timeline& timeline)
        : workload_{workload},
          entries_{timeline.entries},
          before_in_stream_(workload.streams.size()),
          awaited_event_(workload.streams.size()),
          before_event_(workload.events) {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (entries_[i].on_device) {
                index_by_time(i);
            }
        }
        for (auto& engine : ended_) engine.sort();
        started_kernels_.sort();
        for (auto& side : ended_on_side_) side.sort();
    }

    std::vector<Found> find() {
        std::vector<Found> result(entries_.size());
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const auto& operation = workload_.operations[i];
            if (const auto* record = std::get_if<EventRecord>(&operation.action)) {
                before_event_.at(index(record->event)) =
                    before_in_stream_.at(index(operation.stream));
            } else if (const auto* wait = std::get_if<EventWait>(&operation.action)) {
                await(operation.stream, before_event_.at(index(wait->event)));
            }
            if (entries_[i].on_device) {
                result[i] = waited_for(i);
                before_in_stream_.at(index(operation.stream)) = i;
                before_in_channel_[entries_[i].channel] = i;
                awaited_event_.at(index(operation.stream)).reset();
            }
        }
        return result;
    }

private:
    enum Side : std::size_t { default_stream, blocking_streams };

    [[nodiscard]] StreamKind kind_of(std::size_t i) const {
        return workload_.streams.at(index(workload_.operations[i].stream)).kind;
    }

    void index_by_time(std::size_t i) {
        const auto& entry = entries_[i];
        ended_[static_cast<std::size_t>(entry.engine)].add(entry.device_end, i);
        if (entry.engine == Engine::sm) {
            started_kernels_.add(entry.device_start, i);
        }
        if (kind_of(i) == StreamKind::legacy_default) {
            ended_on_side_[default_stream].add(entry.device_end, i);
        } else if (kind_of(i) == StreamKind::blocking) {
            ended_on_side_[blocking_streams].add(entry.device_end, i);
        }
    }

    /// Of several events the one whose work ended last decides.
    void await(StreamIndex stream, Found operation) {
        auto& known = awaited_event_.at(index(stream));
        if (operation &&
            (!known || entries_[*known].device_end < entries_[*operation].device_end)) {
            known = operation;
        }
    }

    [[nodiscard]] Found waited_for(std::size_t i) const {
        const auto& entry = entries_[i];
        const auto stream = index(workload_.operations[i].stream);
        switch (entry.waited_for) {
            case WaitReason::none:
            case WaitReason::unknown: break;
            case WaitReason::stream_order: return before_in_stream_.at(stream);
            case WaitReason::event: return awaited_event_.at(stream);
            case WaitReason::default_stream: {
                const auto other =
                    kind_of(i) == StreamKind::legacy_default ? blocking_streams : default_stream;
                return ended_on_side_[other].last(entry.device_start, i);
            }
            case WaitReason::channel: {
                const auto known = before_in_channel_.find(entry.channel);
                return known == before_in_channel_.end() ? std::nullopt : Found{known->second};
            }
            case WaitReason::copy_engine:
                return ended_[static_cast<std::size_t>(entry.engine)].last(entry.device_start, i);
            case WaitReason::sm_room: return started_kernels_.last(entry.device_start, i);
        }
        return std::nullopt;
    }

    const Workload& workload_;
    const std::vector<TimelineEntry>& entries_;
    std::array<ByTime, 4> ended_;  ///< by engine
    ByTime started_kernels_;
    std::array<ByTime, 2> ended_on_side_;
    std::vector<Found> before_in_stream_;
    std::vector<Found> awaited_event_;
    std::vector<Found> before_event_;
    std::map<ChannelId, std::size_t> before_in_channel_;
};

}  // namespace

std::vector<std::optional<std::size_t>> waited_operations(const Workload& workload,
                                                          const Timeline& timeline) {
    return WaitedOperations{workload, timeline}.find();
}

}  // namespace overcast
