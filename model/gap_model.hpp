// Time from the end of one operation to the start of the next of its stream (docs/model.md#gaps).
#pragma once

#include "model/device_model.hpp"

#include <cstdint>

namespace overcast {

/// What an operation is for the gaps around it.
enum class GapSide : std::uint8_t { h2d, d2h, kernel };

/// `waiting`: other channels of the later operation's kind whose head waits.
///   gap = base(earlier, later) + growth(earlier, later, waiting)
Duration stream_gap(GapSide earlier, GapSide later, std::uint32_t waiting,
                    const GapParameters& parameters);

}  // namespace overcast
