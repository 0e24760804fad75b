// What a trace or a workload warns of, for tests.
#pragma once

#include "core/warning.hpp"

#include <algorithm>
#include <string_view>

namespace overcast::testing {

/// Whether `those.warnings` holds one with this code.
template <class Those>
bool warns(const Those& those, std::string_view code) {
    return std::ranges::any_of(those.warnings,
                               [&](const Warning& warning) { return warning.code == code; });
}

}  // namespace overcast::testing
