// How large errors may be before `overcast validate` fails (traces/h200/tolerances.json).
#pragma once

#include "validate/accuracy/accuracy_report.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// In percent; absent = no limit.
struct ErrorLimits {
    std::optional<double> mape_percent;
    std::optional<double> p95_percent;
    std::optional<double> max_percent;
};

struct Tolerances {
    std::map<std::string, ErrorLimits> cases;
    /// Of all runs; holds where every case named above was judged.
    ErrorLimits summary;
};

/// Throws TraceFormatError: file, key, reason.
Tolerances read_tolerances(const std::filesystem::path& file);
Tolerances parse_tolerances(std::string_view text, const std::string& file);

/// One line for each limit that is exceeded: "pipeline: mean error 3.20 % is more than 3 %".
std::vector<std::string> violations(const AccuracyReport& report, const Tolerances& tolerances);

}  // namespace overcast
