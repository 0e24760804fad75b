// What the injected library finds out about the process that it is in.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace overcast::injection {

std::uint64_t clock_ns(clockid_t clock);

/// The program and its arguments, separated by spaces.
std::string command_line();

/// The variables that change what CUDA does, as set for this process.
std::vector<std::pair<std::string, std::string>> environment_that_matters();

}  // namespace overcast::injection
