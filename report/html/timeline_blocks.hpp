// Many operations as fewer blocks, for a page that must stay quick.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "report/html/operation_kind.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast {

enum class TrackGroup : std::uint8_t { stream, engine, host };

/// A stream, an engine (by its number in Engine) or a host thread.
struct Track {
    TrackGroup group{};
    std::uint32_t index = 0;

    auto operator<=>(const Track&) const = default;
};

/// Operations of one track and kind that lie within `width` of each other, or one longer one.
struct TimelineBlock {
    Track track;
    OperationKind kind{};
    TimelineTime start;
    TimelineTime end;
    Duration busy{};  ///< sum of their durations; more than end - start where they overlap
    std::uint64_t count = 0;
};

struct TimelineBlocks {
    std::vector<TimelineBlock> blocks;  ///< of each track together, in the order of their starts
    Duration width{};
    std::size_t operations = 0;  ///< on the device
};

/// At most `most` blocks, give or take one for each track and kind.
TimelineBlocks timeline_blocks(const Workload& workload, const Timeline& timeline,
                               std::size_t most);

}  // namespace overcast
