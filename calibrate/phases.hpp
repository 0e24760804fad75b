// The recording of a probe, cut at its marker kernels.
#pragma once

#include "calibrate/probe_output.hpp"
#include "core/trace.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace overcast {

enum class ActivityKind : std::uint8_t { h2d, d2h, d2d, memset, kernel };

/// One activity of a phase, with what a fit asks about it.
struct PhaseActivity {
    ActivityKind kind{};
    Bytes bytes;
    TraceTime start;
    TraceTime end;
    StreamId stream{};
    Channel channel;
    TraceTime issued;       ///< start of the call that issued it
    TraceTime returned;     ///< its return
    std::string_view name;  ///< of a kernel; lives as long as the trace

    [[nodiscard]] Duration duration() const { return end - start; }
};

struct Phase {
    PhaseLabel label;
    std::vector<PhaseActivity> activities;  ///< by start

    /// Those of one kind, by start.
    [[nodiscard]] std::vector<PhaseActivity> of(ActivityKind kind) const;
};

/// What ran before the first marker is a phase without a name.
std::vector<Phase> cut_into_phases(const Trace& trace, const ProbeOutput& output);

/// As the quantities of copy_decisions spell it: h, d (copies to the device, to the host), k.
ActivityKind kind_of(char letter);

inline double nanoseconds(Duration time) { return static_cast<double>(time.count()); }

/// Durations in nanoseconds, without the first `warm_up`.
std::vector<double> durations_ns(const std::vector<PhaseActivity>& activities,
                                 std::size_t warm_up = 0);

}  // namespace overcast
