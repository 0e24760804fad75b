// The running program's own file, and what lies beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace overcast {

/// The file of this process, links resolved; absent where the system does not tell.
std::optional<std::filesystem::path> own_executable();

/// The program `name` in the folder of this one. Throws Error where it is not there; `explanation`
/// goes into the message: what it is for, and what to do.
std::filesystem::path program_beside_this_one(const std::string& name,
                                              const std::string& explanation);

}  // namespace overcast
