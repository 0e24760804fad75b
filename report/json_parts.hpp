// What several JSON reports share.
#pragma once

#include "core/overhead_parameters.hpp"
#include "core/warning.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace overcast {

/// [{"code", "text"}, …]
nlohmann::ordered_json warnings_json(const Warnings& warnings);

/// {"h2d_ovhd": {"median_us", "p10_us", "p90_us", "count"}, …}; those that were found alone.
nlohmann::ordered_json overheads_json(const OverheadParameters& overheads);

/// To six digits behind the point: what is beyond is not known.
double rounded(double value);

/// Indented, and valid UTF-8 whatever a file name or a warning holds.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace overcast
