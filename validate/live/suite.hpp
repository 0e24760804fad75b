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

/// `overcast-cases … --sweep PARAMETER=FIRST..LAST`: members that one process runs one by one, each
/// on as many streams as it has units. One recording holds them all, each in an NVTX range of its
/// name.
struct SweptMembers {
    std::string parameter;
    std::uint32_t first = 0;
    std::uint32_t last = 0;  ///< inclusive

    [[nodiscard]] std::uint32_t count() const { return last - first + 1; }
    /// "group=17".
    [[nodiscard]] std::string name(std::uint32_t place) const;
    /// "group=0..159".
    [[nodiscard]] std::string in_words() const;
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
    std::optional<SweptMembers> members;  ///< absent: the case is one program
    bool only_if_named = false;           ///< not one of those that are measured without --case

    // A row is written as its name and what differs from the usual.
    SuiteCase sized(std::vector<std::string> words) &&;
    SuiteCase measured(std::vector<MeasuredSweep> how) &&;
    SuiteCase pageable() &&;  ///< such processes differ: more of them are needed
    SuiteCase with_connections(std::uint32_t number) &&;
    SuiteCase recorded_as_written() &&;  ///< order `recorded`
    SuiteCase with_marked_units() &&;
    SuiteCase bound_by_host() &&;  ///< likewise
    SuiteCase swept(std::string parameter, std::uint32_t first, std::uint32_t last) &&;
    SuiteCase if_named() &&;
};

/// All rows, in the order in which they are measured.
std::span<const SuiteCase> suite();

/// One measured configuration of a case: of all its members, where it has some.
struct SuiteRun {
    Transform transform{};
    IssueOrder order{};
    std::optional<std::uint32_t> streams = 1;  ///< absent: each unit has one of its own
    bool timeline = false;

    /// As --streams takes them: "8", "each".
    [[nodiscard]] std::string streams_word() const;
};

/// All configurations of a case. `streams` (if not empty) replaces the case's numbers of streams,
/// save where it has members.
std::vector<SuiteRun> runs_of(const SuiteCase& one, const std::vector<std::uint32_t>& streams);

}  // namespace overcast
