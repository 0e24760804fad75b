// A comparison as text for people, 80 columns wide.
#pragma once

#include "core/comparison.hpp"
#include "report/terminal_style.hpp"

#include <cstddef>
#include <string>

namespace overcast {

/// `most`: rows of each list of operations.
std::string comparison_table(const Comparison& comparison, std::size_t most,
                             const TerminalStyle& style);

}  // namespace overcast
