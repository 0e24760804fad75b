#include "report/html/timeline_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace overcast {
namespace {

using Tracks = std::map<std::pair<Track, OperationKind>, std::vector<TimelineBlock>>;

/// Each operation as a block of its own, on its stream, its engine and its host thread.
Tracks single_blocks(const Workload& workload, const Timeline& timeline) {
    Tracks tracks;
    const auto add = [&](Track track, OperationKind kind, TimelineTime start, TimelineTime end) {
        tracks[{track, kind}].push_back({track, kind, start, end, end - start, 1});
    };
    for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
        const auto& operation = workload.operations[i];
        const auto& entry = timeline.entries[i];
        const auto kind = kind_of(operation.action);
        if (entry.on_device) {
            add({TrackGroup::stream, number(operation.stream)}, kind, entry.device_start,
                entry.device_end);
            if (entry.engine != Engine::host) {
                add({TrackGroup::engine, static_cast<std::uint32_t>(entry.engine)}, kind,
                    entry.device_start, entry.device_end);
            }
        }
        add({TrackGroup::host, number(operation.thread)}, call_kind_of(operation.action),
            entry.call_start, entry.call_end);
    }
    return tracks;
}

/// Two neighbours together span more than `width`, so that a track of length L has at most
/// 2 L / width + 1.
std::vector<TimelineBlock> joined(std::vector<TimelineBlock> blocks, Duration width) {
    std::ranges::stable_sort(blocks, {}, &TimelineBlock::start);
    std::vector<TimelineBlock> result;
    for (const auto& block : blocks) {
        if (!result.empty()) {
            auto& last = result.back();
            const auto end = std::max(last.end, block.end);
            if (end - last.start <= width) {
                last.end = end;
                last.busy += block.busy;
                last.count += block.count;
                continue;
            }
        }
        result.push_back(block);
    }
    return result;
}

}  // namespace

TimelineBlocks timeline_blocks(const Workload& workload, const Timeline& timeline,
                               std::size_t most) {
    auto tracks = single_blocks(workload, timeline);
    TimelineBlocks result;
    const auto rooms = std::max<std::size_t>(1, most / std::max<std::size_t>(1, tracks.size()));
    result.width = 2 * timeline.wall / static_cast<Duration::rep>(rooms);
    result.operations = static_cast<std::size_t>(
        std::ranges::count_if(timeline.entries, &TimelineEntry::on_device));
    for (auto& [key, blocks] : tracks) {
        const auto fewer = joined(std::move(blocks), result.width);
        result.blocks.insert(result.blocks.end(), fewer.begin(), fewer.end());
    }
    return result;
}

}  // namespace overcast
