// Completions of command lines, made from what `--help` prints.
#pragma once

#include "cli/subcommand.hpp"

#include <span>
#include <string>
#include <string_view>

namespace overcast {

/// The script that `shell` ("bash" or "zsh") reads. Throws UsageError for any other.
std::string completion_script(std::string_view shell, std::span<const Subcommand> subcommands);

}  // namespace overcast
