#include "forecast/critical_path.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace overcast {
namespace {

using Operations = std::vector<std::uint32_t>;

/// Whether an operation takes a place in its stream.
bool in_stream(const Action& action) {
    return enqueues_work(action) || std::holds_alternative<EventRecord>(action) ||
           std::holds_alternative<EventWait>(action) ||
           std::holds_alternative<HostFunction>(action);
}

/// The last of `list` (ascending) before `operation`.
std::optional<std::uint32_t> last_before(const Operations& list, std::uint32_t operation) {
    const auto place = std::ranges::lower_bound(list, operation);
    return place == list.begin() ? std::nullopt : std::optional{*std::prev(place)};
}

class PathFinder {
public:
    PathFinder(const Workload& workload, const Timeline& timeline)
        : workload_{workload},
          timeline_{timeline},
          by_stream_(workload.streams.size()),
          by_thread_(std::max(1U, workload.threads)),
          recorded_at_(workload.events) {
        for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
            add(i);
        }
        for (auto& list : by_engine_) {
            std::ranges::stable_sort(list, {}, [&](auto i) { return entry(i).device_start; });
        }
    }

    std::vector<PathStretch> find() {
        auto at = TimelineTime{timeline_.wall};
        walk_from_the_end(at);
        std::ranges::reverse(path_);
        return std::move(path_);
    }

private:
    using Kind = PathStretch::Kind;

    [[nodiscard]] const TimelineEntry& entry(std::uint32_t i) const { return timeline_.entries[i]; }
    [[nodiscard]] const Operation& operation(std::uint32_t i) const {
        return workload_.operations[i];
    }

    void add(std::uint32_t i) {
        const auto& made = operation(i);
        by_thread_[index(made.thread)].push_back(i);
        if (in_stream(made.action)) {
            by_stream_[index(made.stream)].push_back(i);
        }
        if (const auto* record = std::get_if<EventRecord>(&made.action)) {
            recorded_at_[index(record->event)] = i;
        }
        if (entry(i).on_device) {
            by_engine_[static_cast<std::size_t>(entry(i).engine)].push_back(i);
            by_channel_[{entry(i).engine, entry(i).channel}].push_back(i);
        }
    }

    /// What ended last: the return of a waiting call, or an operation on the device.
    void walk_from_the_end(TimelineTime at) {
        if (workload_.operations.empty()) {
            return;
        }
        std::uint32_t last = 0;
        bool on_device = false;
        auto latest = TimelineTime::min();
        for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
            if (entry(i).on_device && entry(i).device_end <= at && entry(i).device_end > latest) {
                last = i;
                on_device = true;
                latest = entry(i).device_end;
            }
            if (synchronises(operation(i).action) && entry(i).call_end <= at &&
                entry(i).call_end >= latest) {
                last = i;
                on_device = false;
                latest = entry(i).call_end;
            }
        }
        at_ = at;
        next_ = {last, on_device};
        // Each step goes to an earlier point, or to an earlier operation at the same one.
        for (auto steps = 8 * workload_.operations.size() + 8; next_ && steps > 0; --steps) {
            const auto [i, device] = *std::exchange(next_, std::nullopt);
            device ? step_on_device(i) : step_in_call(i);
        }
    }

    /// Adds the stretch from `begin` to where the path has come to.
    void stretch(Kind kind, std::uint32_t i, TimelineTime begin, WaitReason reason = {},
                 std::optional<std::uint32_t> waited_for = {}) {
        if (begin < at_) {
            path_.push_back({begin, at_, i, kind, reason, waited_for});
            at_ = begin;
        }
    }

    void step_on_device(std::uint32_t i) {
        const auto& own = entry(i);
        const auto [before, reason] = predecessor(i);
        stretch(Kind::device, i, own.device_start, reason, before);
        if (!before) {
            stretch(Kind::gap, i, issued_at(i));
            stretch(Kind::call, i, own.call_start);
            step_before_call(i);
            return;
        }
        stretch(Kind::gap, i, std::min(at_, entry(*before).device_end), reason, before);
        next_ = {*before, true};
    }

    /// The device could see it: its call has returned, unless it waits for its own work.
    [[nodiscard]] TimelineTime issued_at(std::uint32_t i) const {
        const auto& own = entry(i);
        const auto at = own.device_start >= own.call_end ? own.call_end
                                                         : own.call_start + operation(i).call_cost;
        return std::min(at, own.device_start);
    }

    void step_in_call(std::uint32_t i) {
        const auto& own = entry(i);
        const auto returned = std::min(at_, own.call_end);
        stretch(Kind::wake_up, i, returned);
        if (own.call_end - own.call_start > operation(i).call_cost) {
            if (const auto awaited = awaited_by_call(i)) {
                stretch(Kind::wake_up, i, entry(*awaited).device_end, WaitReason::none, awaited);
                next_ = {*awaited, true};
                return;
            }
        }
        stretch(Kind::call, i, own.call_start);
        step_before_call(i);
    }

    void step_before_call(std::uint32_t i) {
        const auto& calls = by_thread_[index(operation(i).thread)];
        const auto before = last_before(calls, i);
        if (!before) {
            stretch(Kind::host_time, i, TimelineTime{});
            return;
        }
        stretch(Kind::host_time, i, entry(*before).call_end);
        next_ = {*before, false};
    }

    /// What a waiting call waited for: of that, what ended last before it returned.
    [[nodiscard]] std::optional<std::uint32_t> awaited_by_call(std::uint32_t i) const {
        const auto& made = operation(i);
        const auto& own = entry(i);
        if (own.on_device && own.device_end <= own.call_end) {
            return i;
        }
        Candidates found{*this, own.call_end};
        if (std::holds_alternative<SynchroniseStream>(made.action)) {
            found.consider(last_before(by_stream_[index(made.stream)], i));
        } else if (const auto* wait = std::get_if<SynchroniseEvent>(&made.action)) {
            found.consider(recorded_at_[index(wait->event)]);
        } else if (std::holds_alternative<SynchroniseDevice>(made.action) ||
                   std::holds_alternative<ReleaseMemory>(made.action)) {
            for (const auto& stream : by_stream_) {
                found.consider(last_before(stream, i));
            }
        } else if (const auto* call = std::get_if<HostCall>(&made.action);
                   call != nullptr && call->after_copies_to_device) {
            found.consider(left_at(Engine::h2d, own.call_end));
        } else if (own.on_device) {
            found.consider(left_at(own.engine, own.call_end));  // the channel had no room
        }
        return found.latest;
    }

    struct Candidates {
        const PathFinder& path;
        TimelineTime not_after;
        std::optional<std::uint32_t> latest = std::nullopt;

        void consider(std::optional<std::uint32_t> i) {
            if (i && path.entry(*i).device_end <= not_after &&
                (!latest || path.entry(*i).device_end > path.entry(*latest).device_end)) {
                latest = i;
            }
        }
    };

    /// On an engine, what ended last by then.
    [[nodiscard]] std::optional<std::uint32_t> left_at(Engine engine, TimelineTime by) const {
        const auto& list = by_engine_[static_cast<std::size_t>(engine)];
        auto place =
            std::ranges::upper_bound(list, by, {}, [&](auto i) { return entry(i).device_start; });
        Candidates found{*this, by};
        constexpr int kLookBack = 256;  // kernels end in another order than they start
        for (int looked = 0; place != list.begin() && looked < kLookBack; ++looked) {
            found.consider(*--place);
        }
        return found.latest;
    }

    /// The kernel that ended as `i` found room; where none did, blocks of one that still runs.
    [[nodiscard]] std::optional<std::uint32_t> made_room(std::uint32_t i) const {
        constexpr Duration kAtOnce = std::chrono::microseconds{3};  // floor of a kernel, and gaps
        const auto start = entry(i).device_start;
        const auto ended = left_at(Engine::sm, start);
        if (ended && entry(*ended).device_end + kAtOnce >= start) {
            return ended;
        }
        const auto& list = by_engine_[static_cast<std::size_t>(Engine::sm)];
        auto place = std::ranges::lower_bound(list, start, {},
                                              [&](auto k) { return entry(k).device_start; });
        return place == list.begin() ? ended : std::optional{*--place};
    }

    [[nodiscard]] std::optional<std::uint32_t> before_in_channel(std::uint32_t i) const {
        return last_before(by_channel_.at({entry(i).engine, entry(i).channel}), i);
    }

    /// Work that the legacy default stream makes `i` wait for.
    void consider_default_stream(std::uint32_t i, Candidates& found) const {
        const auto own = index(operation(i).stream);
        const bool is_default = workload_.streams[own].kind == StreamKind::legacy_default;
        for (std::size_t s = 0; s < by_stream_.size(); ++s) {
            const auto kind = workload_.streams[s].kind;
            if (s != own &&
                kind == (is_default ? StreamKind::blocking : StreamKind::legacy_default)) {
                found.consider(last_before(by_stream_[s], i));
            }
        }
    }

    struct Predecessor {
        std::optional<std::uint32_t> operation;  ///< absent: the host
        WaitReason reason = WaitReason::none;
    };

    [[nodiscard]] Predecessor predecessor(std::uint32_t i) const {
        const auto& own = entry(i);
        const auto reason = own.on_device ? own.waited_for : WaitReason::unknown;
        Candidates found{*this, own.device_start};
        const auto stream = last_before(by_stream_[index(operation(i).stream)], i);
        switch (reason) {
            case WaitReason::none: return {};
            case WaitReason::stream_order: found.consider(stream); break;
            case WaitReason::default_stream: consider_default_stream(i, found); break;
            case WaitReason::channel:
                // A kernel leaves its channel as soon as it is placed: it may still run.
                return {before_in_channel(i), reason};
            case WaitReason::sm_room: return {made_room(i), reason};
            case WaitReason::copy_engine:
                found.consider(left_at(own.engine, own.device_start));
                break;
            case WaitReason::event:
            case WaitReason::unknown: return of_unknown_reason(i, stream);
        }
        return found.latest ? Predecessor{found.latest, reason} : of_unknown_reason(i, stream);
    }

    /// Markers, and timelines that do not know: the latest end among all that may be.
    [[nodiscard]] Predecessor of_unknown_reason(std::uint32_t i,
                                                std::optional<std::uint32_t> stream) const {
        const auto& own = entry(i);
        Candidates found{*this, own.device_start};
        found.consider(stream);
        Predecessor result{found.latest, WaitReason::stream_order};
        const auto use = [&](WaitReason reason) {
            if (found.latest != result.operation) {
                result = {found.latest, reason};
            }
        };
        if (const auto* wait = std::get_if<EventWait>(&operation(i).action)) {
            found.consider(recorded_at_[index(wait->event)]);
            use(WaitReason::event);
        }
        consider_default_stream(i, found);
        use(WaitReason::default_stream);
        if (own.on_device) {
            found.consider(left_at(own.engine, own.device_start));
            use(own.engine == Engine::sm ? WaitReason::sm_room : WaitReason::copy_engine);
        }
        if (!result.operation || issued_at(i) >= entry(*result.operation).device_end) {
            return {};
        }
        return result;
    }

    const Workload& workload_;
    const Timeline& timeline_;
    std::vector<Operations> by_stream_;
    std::vector<Operations> by_thread_;
    std::vector<std::optional<std::uint32_t>> recorded_at_;  ///< by event
    std::array<Operations, 4> by_engine_;                    ///< by device start
    std::map<std::pair<Engine, ChannelId>, Operations> by_channel_;
    std::vector<PathStretch> path_;
    TimelineTime at_{};
    std::optional<std::pair<std::uint32_t, bool>>
        next_;  ///< operation; its device part or its call
};

}  // namespace

std::vector<PathStretch> critical_path(const Workload& workload, const Timeline& timeline) {
    return PathFinder{workload, timeline}.find();
}

}  // namespace overcast
