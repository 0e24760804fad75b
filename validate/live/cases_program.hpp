// overcast-cases, the program that holds the CUDA workloads: how it is called, what it answers.
#pragma once

#include "core/units.hpp"
#include "tracer/launcher/captured_process.hpp"
#include "validate/live/suite.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// One process: all repetitions of one configuration.
struct MeasuredSeries {
    std::string device;
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

/// The line that `overcast-cases … --json` prints. Throws Error if it is not understood.
MeasuredSeries parse_series(std::string_view json);

}  // namespace overcast
