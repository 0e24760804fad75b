// A runtime call makes driver calls; both are recorded. One of them is enough.
#pragma once

#include "core/trace.hpp"

namespace overcast {

/// Drops driver calls that a recorded runtime call made, and hands what they issued to the runtime
/// call. Driver calls that the program (or a library such as cuBLAS or Triton) made itself stay.
void join_api_pairs(Trace& trace);

}  // namespace overcast
