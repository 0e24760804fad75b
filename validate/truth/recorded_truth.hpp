// Recorded truth: what a real GPU needed for the runs that Overcast predicts (measured.json).
#pragma once

#include "core/operation_kinds.hpp"
#include "core/prediction.hpp"
#include "core/units.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// One configuration, run untraced for a number of repetitions.
struct RecordedRun {
    /// The part of the recording that this run is about, "nvtx:group=17"; absent where the
    /// recording holds one program. It is looked up in the one-stream recording and in
    /// `timeline_file`.
    std::optional<std::string> range;
    Transform transform = Transform::distribute;
    IssueOrder order = IssueOrder::depth;
    std::uint32_t streams = 1;
    std::uint32_t units = 1;
    std::uint32_t parts = 1;
    MemoryKind memory = MemoryKind::pinned;  ///< of the host's side of the copies
    /// CUDA_DEVICE_MAX_CONNECTIONS; absent where it was not set (not the same as 8).
    std::optional<std::uint32_t> max_connections;
    Duration wall_median{};
    Duration wall_min{};
    Duration wall_max{};
    double noise_percent = 0;  ///< between the medians of two series, of the median
    std::uint32_t repetitions = 0;
    std::vector<Duration> series_medians;      ///< one per series, in the order in which they ran
    std::optional<std::string> timeline_file;  ///< relative to measured.json
};

struct RecordedTruth {
    std::string case_name;
    std::string preset;         ///< of the case's sizes: "h200", "seed"
    std::string unit = "auto";  ///< how the units of the recording are found, as --unit takes it
    std::string device;
    std::string driver;
    std::string date;
    std::string command;
    std::vector<RecordedRun> runs;
};

/// Throws TraceFormatError: file, key, reason.
RecordedTruth read_recorded_truth(const std::filesystem::path& file);

/// As read_recorded_truth, from text. `file` is named in errors.
RecordedTruth parse_recorded_truth(std::string_view text, const std::string& file);

}  // namespace overcast
