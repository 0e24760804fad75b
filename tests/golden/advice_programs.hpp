// Programs with one fault each, told as recordings.
#pragma once

#include "core/trace.hpp"

#include <optional>
#include <string_view>

namespace overcast::test {

/// Absent where there is no program of that name.
std::optional<Trace> made_program(std::string_view name);

}  // namespace overcast::test
