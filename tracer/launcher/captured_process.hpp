// Runs a program to its end and keeps what it printed.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace overcast {

struct CapturedResult {
    int status = 0;  ///< as a shell reports it: exit code, or 128 + n after signal n; 127: not run
    std::string output;  ///< of stdout
    std::string errors;  ///< of stderr
};

/// Variables to set, or (empty value) to unset, on top of this process's environment.
using EnvironmentChanges = std::map<std::string, std::string>;

/// `command[0]` is searched in PATH (as changed). Throws Error if no process can be made.
CapturedResult run_captured(const std::vector<std::string>& command,
                            const EnvironmentChanges& changes = {});

}  // namespace overcast
