// Comparison: two Timelines side by side, operation by operation.
#pragma once

#include "core/ids.hpp"
#include "core/timeline.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

/// One of the two: a recording, or what was played from it.
struct ComparedSide {
    std::string label;  ///< "recorded", "replayed", "A", "B"
    std::string title;  ///< the file, and what was done with it
    std::string device;
    Duration wall{};               ///< of the region
    Duration device_span{};        ///< first device start to last device end
    Duration waiting{};            ///< in calls that wait for the device
    double host_share = 0;         ///< of `wall`: the busiest host thread's own time, 0 to 1
    double device_share = 0;       ///< of `wall`: any engine at work, 0 to 1
    std::uint64_t operations = 0;  ///< copies, memsets, kernels
    std::uint32_t streams = 0;     ///< with such operations
    std::uint32_t threads = 1;
};

/// What both sides have, and when each did it.
struct ComparedOperation {
    std::string kind;  ///< "kernel", "H2D copy", "memset", or "call" for what is the host's alone
    std::string name;  ///< of the kernel, or of the call
    std::uint64_t amount = 0;             ///< bytes; blocks of a kernel; 0 for calls
    std::uint32_t ordinal = 0;            ///< of its like, from 0
    std::optional<StreamId> left_stream;  ///< as recorded; absent for what belongs to no stream
    std::optional<StreamId> right_stream;
    TimelineEntry left;
    TimelineEntry right;
    bool waits = false;  ///< its call returns when the device is done, on one side at least
};

/// What one side alone has.
struct UnmatchedOperation {
    std::string kind;
    std::string name;
    std::uint64_t amount = 0;
    std::optional<StreamId> stream;
    TimelineEntry entry;
};

/// Device time of all operations of one kind.
struct ComparedKind {
    std::string kind;
    std::uint64_t left_count = 0;
    std::uint64_t right_count = 0;
    Duration left{};
    Duration right{};
};

/// Calls of one name that wait for the device.
struct ComparedWaits {
    std::string name;
    std::uint64_t left_count = 0;
    std::uint64_t right_count = 0;
    Duration left{};
    Duration right{};
    std::optional<double> median_error;  ///< of those matched: |right - left| / left
};

/// How far the right side is from the left one, over many operations: |right - left| / left.
struct Agreement {
    std::uint64_t operations = 0;
    double median = 0;
    double p90 = 0;
};

struct Comparison {
    ComparedSide left;
    ComparedSide right;
    std::vector<ComparedOperation> matched;  ///< in the left side's order of issue
    std::vector<UnmatchedOperation> only_left;
    std::vector<UnmatchedOperation> only_right;
    std::vector<ComparedKind> kinds;         ///< most time first
    std::vector<ComparedWaits> waits;        ///< most time first
    std::optional<Agreement> start_delay;    ///< from the start of the call to the device's start
    std::optional<Agreement> waiting_calls;  ///< durations of calls that wait
    std::optional<Agreement> held_up_launches;  ///< durations of launches that met a full queue
    Warnings warnings;
};

}  // namespace overcast
