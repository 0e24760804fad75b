// Which channels there are, and by which rules they are used.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace overcast {
namespace {

std::vector<std::uint32_t> in_first_use_order(const std::vector<PhaseActivity>& activities) {
    std::vector<std::uint32_t> ids;
    for (const auto& activity : activities) {
        const auto id = number(activity.channel.id);
        if (std::ranges::find(ids, id) == ids.end()) {
            ids.push_back(id);
        }
    }
    return ids;
}

std::vector<PhaseActivity> by_issue(std::vector<PhaseActivity> activities) {
    std::ranges::stable_sort(activities, {}, &PhaseActivity::issued);
    return activities;
}

struct Count {
    std::size_t kept = 0;
    std::size_t of = 0;
    std::size_t otherwise = 0;  ///< what the other rule explains

    Count& operator+=(const Count& other) {
        kept += other.kept;
        of += other.of;
        otherwise += other.otherwise;
        return *this;
    }
};

/// When the device has taken what is issued: a copy stays in its channel until it is done.
TraceTime leaves_channel(const PhaseActivity& activity) {
    return activity.kind == ActivityKind::kernel ? activity.start : activity.end;
}

/// The least recently used of the channels that are empty at `now`, else of all.
ChannelId free_channel(const std::vector<ChannelId>& by_use,
                       const std::map<ChannelId, TraceTime>& empty_from, TraceTime now) {
    const auto empty = std::ranges::find_if(
        by_use, [&](ChannelId channel) { return empty_from.at(channel) <= now; });
    return empty == by_use.end() ? by_use.front() : *empty;
}

/// Replays "a stream keeps its channel until another takes it, else it takes an empty one, the
/// least recently used first", once every channel has been seen; otherwise: each stream stays where
/// it first was.
Count ownership(const std::vector<PhaseActivity>& activities, std::size_t channels) {
    std::map<StreamId, ChannelId> channel_of;
    std::map<StreamId, ChannelId> first_of;
    std::map<ChannelId, StreamId> owner;
    std::vector<ChannelId> by_use;  // least recently used first
    std::map<ChannelId, TraceTime> empty_from;
    Count count;
    for (const auto& activity : activities) {
        const auto used = activity.channel.id;
        if (by_use.size() == channels) {
            const auto own = channel_of.find(activity.stream);
            const bool keeps = own != channel_of.end() && owner[own->second] == activity.stream;
            const auto first = first_of.find(activity.stream);
            ++count.of;
            const auto expected =
                keeps ? own->second : free_channel(by_use, empty_from, activity.issued);
            count.kept += expected == used ? 1U : 0U;
            count.otherwise += first != first_of.end() && first->second == used ? 1U : 0U;
        }
        first_of.emplace(activity.stream, used);
        channel_of[activity.stream] = used;
        owner[used] = activity.stream;
        empty_from[used] = std::max(empty_from[used], leaves_channel(activity));
        std::erase(by_use, used);
        by_use.push_back(used);
    }
    return count;
}

/// Of what was issued after a blocked copy: held if it shares the channel, else run at once.
Count fifo(const Phase& phase) {
    Count count;
    const auto kernels = phase.of(ActivityKind::kernel);
    const auto copies = by_issue(phase.of(ActivityKind::h2d));
    const auto blocked = static_cast<std::size_t>(phase.label.x);
    if (kernels.empty() || blocked >= copies.size()) {
        return count;
    }
    const auto release = kernels.front().end;
    for (std::size_t i = blocked + 1; i < copies.size(); ++i) {
        if (copies[i].channel == copies[blocked].channel) {
            ++count.of;
            count.kept += copies[i].start >= release ? 1U : 0U;
            count.otherwise += copies[i].start < release ? 1U : 0U;
        }
    }
    return count;
}

Count one_at_a_time(const std::vector<PhaseActivity>& served) {
    Count count;
    for (std::size_t i = 1; i < served.size(); ++i) {
        ++count.of;
        count.kept += served[i].start >= served[i - 1].end ? 1U : 0U;
    }
    count.otherwise = count.of - count.kept;
    return count;
}

/// Of the process that tests the rules, from its first operations on.
std::vector<std::uint32_t> usual_order(const ProbeRuns& runs, ActivityKind kind) {
    for (const auto& run : runs.all("channel_rules", ProbeMode::full)) {
        for (const auto& phase : run.phases) {
            if (phase.label.quantity == "ownership") {
                return in_first_use_order(by_issue(phase.of(kind)));
            }
        }
    }
    return {};
}

/// Ids ascend from the first one that is taken, but for those that loading the program's code has
/// used before. These come last, in an order that depends on how much code that is (observed: one
/// kernel more in this program turned 8, 9 into 9, 8); small programs have the ascending one.
std::vector<std::uint32_t> ending_as_a_ring(const std::vector<std::uint32_t>& ids) {
    constexpr std::ptrdiff_t kUsedBefore = 2;
    auto ring = ids;
    std::ranges::sort(ring);
    std::ranges::rotate(ring, std::ranges::find(ring, ids.front()));
    const bool agree = std::ssize(ids) > kUsedBefore &&
                       std::equal(ids.begin(), ids.end() - kUsedBefore, ring.begin());
    return agree ? ring : ids;
}

constexpr ActivityKind kDirections[] = {ActivityKind::h2d, ActivityKind::d2h};

std::size_t distinct_channels(const std::vector<PhaseActivity>& activities) {
    std::set<ChannelId> seen;
    for (const auto& activity : activities) {
        seen.insert(activity.channel.id);
    }
    return seen.size();
}

void add(Draft& draft, const std::string& rule, const std::string& says, const Count& count,
         const std::string& instead) {
    draft.notes.rules.push_back({rule, says, count.kept, count.of,
                                 fmt::format("{}: {} of {}", instead, count.otherwise, count.of)});
}

}  // namespace

void measure_channels(const ProbeRuns& runs, Draft& draft) {
    const auto& fresh = runs.get("channels", ProbeMode::full).phases;
    auto& place = draft.model.channels;
    const auto set = [&](const char* name, std::vector<std::uint32_t>& to, ActivityKind kind) {
        auto ids = in_first_use_order(by_issue(fresh.front().of(kind)));
        if (ids.empty()) {
            throw ModelFileError("the recording has no channel ids");
        }
        std::string source = "probe channels: ids of 40 streams in the order of their first use";
        // Observed: 40 streams take the copy channels in another order than a dozen, which is what
        // programs have.
        auto usual = usual_order(runs, kind);
        if (std::ranges::is_permutation(usual, ids)) {
            ids = std::move(usual);
            source += "; order of 12 streams, probe channel_rules";
        }
        draft.set_ids(name, to, ending_as_a_ring(ids),
                      source + ", CUDA_DEVICE_MAX_CONNECTIONS unset");
    };
    set("channels.compute_ids", place.compute, ActivityKind::kernel);
    set("channels.h2d_ids", place.h2d, ActivityKind::h2d);
    set("channels.d2h_ids", place.d2h, ActivityKind::d2h);
    draft.set_count("channels.max_connections", place.max_connections,
                    static_cast<std::uint32_t>(place.compute.size()),
                    "probe channels: compute channels that were used");
}

void measure_connections(const ProbeRuns& runs, Draft& draft) {
    std::vector<ConnectionChannels> settings;
    std::string words;
    for (const auto connections : kMeasuredConnections) {
        const auto& all = runs.all("channels", ProbeMode::full, connections);
        if (all.empty()) {
            continue;  // among the failures
        }
        const auto& fresh = all.front().phases.front();
        const auto ids = [&](ActivityKind kind) {
            return in_first_use_order(by_issue(fresh.of(kind)));
        };
        settings.push_back({connections, ids(ActivityKind::kernel), ids(ActivityKind::h2d),
                            ids(ActivityKind::d2h)});
        const auto& made = settings.back();
        if (made.compute.empty() || made.h2d.empty() || made.d2h.empty()) {
            throw ModelFileError("the recording has no channel ids");
        }
        words += fmt::format("{}{}: {} compute, {} H2D, {} D2H", words.empty() ? "" : "; ",
                             connections, made.compute.size(), made.h2d.size(), made.d2h.size());
    }
    if (settings.empty()) {
        throw ProbeDidNotRun("the probe channels ran under no setting");
    }
    const auto from = settings.front().connections;
    const auto to = settings.back().connections;
    draft.set_connections(
        "channels.by_connections", draft.model.channels.by_connections, std::move(settings),
        fmt::format("probe channels, CUDA_DEVICE_MAX_CONNECTIONS set: ids in the order of "
                    "their first use ({}); valid from {} to {}, between measured values "
                    "by interpolation",
                    words, from, to));
}

void measure_channel_rules(const ProbeRuns& runs, Draft& draft) {
    Count owned_copies;
    Count owned_kernels;
    Count fifos;
    Count alone;
    for (const auto& phase : runs.get("channel_rules", ProbeMode::full).phases) {
        for (const auto kind : kDirections) {
            const auto copies = phase.of(kind);
            alone += one_at_a_time(copies);
            if (phase.label.quantity == "ownership") {
                owned_copies += ownership(by_issue(copies), distinct_channels(copies));
            }
        }
        if (phase.label.quantity == "ownership") {
            const auto kernels = phase.of(ActivityKind::kernel);
            owned_kernels += ownership(by_issue(kernels), distinct_channels(kernels));
        } else if (phase.label.quantity == "fifo") {
            fifos += fifo(phase);
        }
    }
    add(draft, "channel-ownership",
        "a stream keeps its copy channel until another takes it, else it takes the least recently "
        "used of the empty ones, else of all",
        owned_copies, "each stream stays on its first channel");
    add(draft, "channel-ownership of kernels", "the same for compute channels", owned_kernels,
        "each stream stays on its first channel");
    add(draft, "channel-fifo", "what waits holds up all that is behind it in its channel", fifos,
        "what is ready runs");
    add(draft, "one-copy-at-a-time", "copies of one direction do not overlap", alone,
        "they overlap");
}

}  // namespace overcast
