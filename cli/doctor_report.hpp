// The findings of `overcast doctor`, for people and for programs.
#pragma once

#include "cli/values.hpp"
#include "report/terminal_style.hpp"
#include "tracer/doctor/findings.hpp"

#include <string>
#include <vector>

namespace overcast {

/// JSON and CSV as in docs/output-format.md.
std::string doctor_report(const std::vector<Finding>& findings, OutputFormat format,
                          const TerminalStyle& style);

}  // namespace overcast
