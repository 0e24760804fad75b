// `overcast --help` and the way from a wrong word to the one that was meant.
#pragma once

#include "cli/subcommand.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overcast {

/// What Overcast is for, its subcommands, and a first example.
std::string general_help(std::span<const Subcommand> subcommands);

/// "; did you mean 'NAME'?" for the candidate that is nearest to `word`, "" where none is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace overcast
