// Writes a Timeline, predicted or measured, as Chrome Trace Event JSON for ui.perfetto.dev.
#pragma once

#include "core/timeline.hpp"
#include "core/workload.hpp"
#include "formats/byte_sink.hpp"

#include <filesystem>
#include <string>

namespace overcast {

/// What stands above the tracks.
struct TimelineLabels {
    std::string title;          ///< "predicted: 4 streams, breadth-first"
    std::string device;         ///< "NVIDIA H200"
    std::string configuration;  ///< in words, for the file's header
};

/// One track per stream (its operations, and before each what it waited for), one per engine, one
/// per host thread. Arrows (flows) run from each call to its work and from what an operation waited
/// for to that operation; the reason stands in the arguments. Times count from the start of the
/// region. `timeline` must be of `workload`. Throws Error where `file` cannot be written.
void write_chrome_timeline(const Workload& workload, const Timeline& timeline,
                           const TimelineLabels& labels, const std::filesystem::path& file);

/// The same to any sink.
void write_chrome_timeline(const Workload& workload, const Timeline& timeline,
                           const TimelineLabels& labels, ByteSink& sink);

}  // namespace overcast
