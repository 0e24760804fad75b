// What a run found, as JSON and as a line to read; the cases as JSON.
#pragma once

#include "validate/cases/harness/options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace overcast::cases {

struct RunResult {
    std::string device;
    std::uint32_t units = 0;                       ///< all that ran, those of every replica
    std::optional<std::uint32_t> max_connections;  ///< absent: the driver's default
    std::vector<double> walls_us;                  ///< one per timed pass
    std::size_t disturbed = 0;   ///< passes that the host's other work slowed down
    std::uint64_t checksum = 0;  ///< of the results that were compared
};

/// One object on one line.
std::string result_json(const Options& options, const RunResult& result);

/// Median, minimum and maximum of the passes.
std::string result_line(const Options& options, const RunResult& result);

/// What --profile-one-pass prints: the same each time, so that a traced run can be compared with an
/// untraced one.
std::string checked_line(const Options& options, std::uint32_t units, std::uint64_t checksum);

/// All cases with their parameters, one object each.
std::string list_json(std::span<const CaseDefinition> cases);

/// CUDA_DEVICE_MAX_CONNECTIONS as the driver understands it; absent if unset or no number.
std::optional<std::uint32_t> max_connections_of_environment();

/// Of at least one value.
double median(std::vector<double> values);

}  // namespace overcast::cases
