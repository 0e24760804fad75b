// How much slower a copy is while the other direction runs.
#pragma once

#include "core/units.hpp"

#include <optional>

namespace overcast {

/// The factor f of docs/model.md: a copy progresses at 1 / f while it is beside one of the other
/// direction. Of `duration`, `beside` was beside one; alone the copy takes `alone`. Then
/// alone = (duration - beside) + beside / f. Absent where the part outside took all of it already.
std::optional<double> duplex_factor(Duration duration, Duration beside, Duration alone);

}  // namespace overcast
