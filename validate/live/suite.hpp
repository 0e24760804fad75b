// What `overcast validate` measures: one row per recorded case.
#pragma once

#include "core/operation_kinds.hpp"
#include "core/prediction.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace overcast {

/// The configurations of one transform: every order with every number of streams.
struct MeasuredSweep {
    Transform transform = Transform::distribute;
    std::vector<IssueOrder> orders{IssueOrder::depth, IssueOrder::breadth};
    std::vector<std::uint32_t> streams{1, 2, 3, 4, 6, 8, 12, 16};
};

struct SuiteCase {
    std::string name;                    ///< of the folder
    std::string program;                 ///< the case of overcast-cases
    std::vector<std::string> arguments;  ///< its sizes, where not those of the preset
    std::vector<MeasuredSweep> sweeps{MeasuredSweep{}};
    MemoryKind memory = MemoryKind::pinned;
    /// CUDA_DEVICE_MAX_CONNECTIONS; absent = not set.
    std::optional<std::uint32_t> max_connections;
    IssueOrder recorded_order = IssueOrder::depth;  ///< of the one-stream recording
    /// How units are found in the recording; with "nvtx:unit" the program marks them.
    std::string unit = "auto";
    /// Of the first sweep: these runs are traced too.
    std::vector<std::uint32_t> timeline_streams{3, 8};
    /// How often each configuration's repetitions are run, in a process of its own each time.
    std::uint32_t series = 2;

    // A row is written as its name and what differs from the usual.
    SuiteCase sized(std::vector<std::string> words) &&;
    SuiteCase measured(std::vector<MeasuredSweep> how) &&;
    SuiteCase pageable() &&;
    SuiteCase with_connections(std::uint32_t number) &&;
    SuiteCase recorded_as_written() &&;  ///< order `recorded`
    SuiteCase with_marked_units() &&;
    SuiteCase bound_by_host() &&;  ///< such processes differ: more of them are needed
};

/// All rows, in the order in which they are measured.
std::span<const SuiteCase> suite();

/// One measured configuration of a case.
struct SuiteRun {
    Transform transform{};
    IssueOrder order{};
    std::uint32_t streams = 1;
    bool timeline = false;
};

/// All configurations of a case. `streams` (if not empty) replaces the case's numbers of streams.
std::vector<SuiteRun> runs_of(const SuiteCase& one, const std::vector<std::uint32_t>& streams);

}  // namespace overcast
