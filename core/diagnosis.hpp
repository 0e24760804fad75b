// Diagnosis: one cause of missing overlap in a recorded program, and what it costs. Advice: all of
// them, with the schedule that remains when they are removed.
#pragma once

#include "core/prediction.hpp"
#include "core/timeline.hpp"
#include "core/units.hpp"
#include "core/warning.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// What removing a cause is worth.
enum class Verdict : std::uint8_t {
    saves,            ///< time, as given
    nothing_to_gain,  ///< it is there, but its removal saves (nearly) nothing; `reason` says why
    not_priced,       ///< it is there, but the model has no price for it; `reason` says why
};

std::string_view to_string(Verdict verdict);

/// Where a cause was seen.
struct Place {
    std::uint64_t operation = 0;  ///< index into the recorded region's operations
    std::string call;             ///< "cudaMemcpyAsync"
    std::string what;             ///< "H2D 16 MiB, stream 13"
    TimelineTime at;              ///< start of the call in the recording, since the region's start
};

/// Wall time saved, and between which values another run would put it (90 %).
struct Saving {
    Duration time{};
    std::optional<Duration> low;
    std::optional<Duration> high;
};

struct Diagnosis {
    std::string id;     ///< "pageable-memory": stable, for programs
    std::string title;  ///< "Pageable host memory"
    Verdict verdict = Verdict::saves;
    std::string evidence;       ///< what was seen, in one sentence
    std::string reason;         ///< of the verdict, unless it saves
    std::vector<Place> places;  ///< the first few
    std::uint64_t occurrences = 0;
    /// Its change is part of the advised program; otherwise it would make that slower, or only the
    /// author knows whether it can be made.
    bool advised = false;
    /// If this alone is changed in the recorded program.
    Saving alone;
    /// If all the other changes are made already: what is lost by leaving this one out.
    Saving with_the_rest;
    std::string change;  ///< one or two lines of CUDA
    std::string link;    ///< the vendor's documentation

    /// By which diagnoses are ranked.
    [[nodiscard]] Duration most() const { return std::max(alone.time, with_the_rest.time); }
};

/// One way to issue the work, played with every cause removed.
struct Schedule {
    Configuration configuration;
    std::uint32_t max_connections = 0;  ///< CUDA_DEVICE_MAX_CONNECTIONS
    Duration wall{};
    std::optional<WallInterval> interval;
    Bound bound_by = Bound::chain;
    Utilisation utilisation;
    std::uint64_t device_bytes = 0;
};

/// A stretch of the critical path: operations of one kind in a row, or all of one kind.
struct PathShare {
    std::string what;  ///< "H2D copy 16 MiB", "kernel scale", "host: cudaLaunchKernel", "gap …"
    std::uint64_t count = 0;
    Duration time{};
};

/// Operations of the critical path that follow each other, do the same and waited for the same.
struct PathLink {
    std::string what;             ///< "kernel scale"
    std::uint64_t count = 1;      ///< how many in a row
    std::string waited_for;       ///< "H2D 16 MiB"; empty: for the host
    std::string reason;           ///< "copy engine", "stream order", "host", …
    std::uint64_t operation = 0;  ///< the first one: index into the played operations
    TimelineTime start;           ///< of the first one
    TimelineTime end;             ///< of the last one
};

struct CriticalPath {
    Duration wall{};
    std::vector<PathShare> shares;  ///< longest first; their times add up to the wall time
    std::vector<PathLink> links;    ///< in order of time
    std::uint64_t operations = 0;   ///< on the path
};

struct Advice {
    std::string trace;
    std::string program;
    std::string device;
    std::string device_model;
    std::uint64_t operations = 0;
    std::uint32_t units = 0;
    std::uint32_t streams = 0;         ///< that the recorded program used
    Duration recorded_wall{};          ///< tracing included
    Duration wall{};                   ///< of the recorded program, predicted without tracing
    Duration wall_without_causes{};    ///< every cause removed, on the advised schedule
    std::vector<Diagnosis> diagnoses;  ///< largest saving first
    std::optional<Schedule> best;
    std::optional<Schedule> cheapest;  ///< fewest streams and least change within 2 % of best
    std::optional<Schedule> cut;       ///< best with units cut into parts, where that beats `best`
    std::uint64_t schedules_played = 0;
    CriticalPath path;  ///< of `cheapest`, or of the recorded program where there is none
    Warnings warnings;
};

/// One line of `overcast advise --list`.
struct DiagnosisSummary {
    std::string id;
    std::string title;
    std::string summary;
};

}  // namespace overcast
