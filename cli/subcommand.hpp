// What `overcast NAME …` is: one row of the table in main.cpp, one file for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overcast {

enum ExitStatus : int {
    kSuccess = 0,
    kFailure = 1,
    kUsage = 2,
    kOutsideTolerance = 3,
    kLauncherFailure = 125,  ///< `trace`: the program was not run
};

struct Subcommand {
    std::string_view name;
    std::string_view summary;
    std::string_view help;  ///< purpose, usage, options, examples; 80 columns
    /// Gets what stands behind the subcommand's name, returns the exit status. Throws Error.
    int (*run)(const std::vector<std::string>& arguments);
    int failure_status = kFailure;
    int usage_status = kUsage;
};

Subcommand trace_subcommand();
Subcommand predict_subcommand();
Subcommand advise_subcommand();
Subcommand show_subcommand();
Subcommand convert_subcommand();
Subcommand compare_subcommand();
Subcommand validate_subcommand();
Subcommand doctor_subcommand();
Subcommand calibrate_subcommand();

}  // namespace overcast
