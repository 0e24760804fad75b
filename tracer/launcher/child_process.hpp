// Runs a program as if the shell had: same terminal, same signals, same exit status.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace overcast {

struct ChildResult {
    /// As a shell reports it: the exit code, or 128 + n after signal n.
    int status = 0;
    /// errno of exec, where the program could not be run at all.
    std::optional<int> exec_error;
    std::optional<int> signal;  ///< that ended it
    pid_t process = 0;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs `command` (searched in PATH) with `added` on top of this process's environment, and waits
/// for it. Signals sent to this process meanwhile are passed on; those of the terminal reach the
/// program by themselves, and do not end this process. Throws Error if no process can be made.
ChildResult run_child(const std::vector<std::string>& command, const Environment& added);

/// Waits for a process of ours to end: what waitpid says of it. Throws Error if it cannot.
int wait_for(pid_t child);

}  // namespace overcast
