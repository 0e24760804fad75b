// --without: which hardware rules a prediction knows.
#pragma once

#include "simulator/rules.hpp"

namespace overcast {

class CommandLine;

/// Throws UsageError for an unknown rule.
Rules rules_of(const CommandLine& line);

}  // namespace overcast
