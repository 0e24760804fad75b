// The report of `overcast validate` for people, within 80 columns.
#pragma once

#include "report/terminal_style.hpp"
#include "validate/accuracy/accuracy_report.hpp"

#include <string>

namespace overcast {

struct AccuracyTableOptions {
    bool every_run = true;  ///< a line per configuration, else the summaries alone
    std::size_t worst = 10;
};

std::string accuracy_table(const AccuracyReport& report, const AccuracyTableOptions& options,
                           const TerminalStyle& style);

}  // namespace overcast
