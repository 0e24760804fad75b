// overcast-cases, the program that holds the CUDA workloads: how it is called, what it answers.
#pragma once

#include "core/units.hpp"
#include "tracer/launcher/captured_process.hpp"
#include "validate/live/suite.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// One process: all repetitions of one configuration, of one member where the case has some.
struct MeasuredSeries {
    std::string device;
    std::optional<std::string> range;      ///< of the member, "group=17"
    std::optional<std::uint32_t> streams;  ///< that the member really used
    std::uint32_t units = 0;
    std::uint32_t parts = 1;
    std::vector<Duration> walls;
};

/// Where the programs are that a live validation runs.
struct Programs {
    std::filesystem::path overcast;
    std::filesystem::path cases;

    /// This executable, and overcast-cases beside it. Throws Error where that is not there.
    static Programs beside_this_one();
};

/// The words behind "overcast-cases": case, preset, sizes, configuration.
std::vector<std::string> case_arguments(const SuiteCase& one, const std::string& preset,
                                        const SuiteRun& run);

/// CUDA_DEVICE_MAX_CONNECTIONS as the case wants it, and a PATH that finds overcast-cases by name,
/// so that recordings do not tell where it lies.
EnvironmentChanges case_environment(const SuiteCase& one, const Programs& programs);

/// What `overcast-cases … --json` prints: a line, or one per member in their order. Throws Error if
/// it is not understood, or is not of the members of `one`.
std::vector<MeasuredSeries> parse_series(const SuiteCase& one, std::string_view lines);

}  // namespace overcast
