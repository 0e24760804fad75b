// Spool file → Trace.
#pragma once

#include "core/trace.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace overcast {

struct SpooledProcess {
    Trace trace;
    std::uint32_t process = 0;
    std::uint64_t started_ns = 0;            ///< on the recording's clock: orders the processes
    bool closed = false;                     ///< the recording was closed in order
    std::optional<int> signal;               ///< that the program was seen to die of
    std::optional<std::string> tracing_off;  ///< why nothing more was recorded
    std::uint32_t counter_passes = 0;        ///< runs of each counted launch; 0: none was counted
};

/// The spool files in a folder, by name.
std::vector<std::filesystem::path> spool_files(const std::filesystem::path& folder);

/// Reads everything that one process recorded, whole: pairs of runtime and driver calls are joined,
/// names demangled, lists sorted. Throws Error if it is no spool file.
SpooledProcess read_spool(const std::filesystem::path& file);

}  // namespace overcast
