// How long the host takes before the first call of a named range.
#pragma once

#include "workload/issued_calls.hpp"

namespace overcast {

/// Seen once, this time may be the operating system's, or that of caches which were cold. Where the
/// trace holds eight launches of the same kernel and more, `first` is given no more than the usual
/// time before one: of those that took up to twice what a quarter of them took at most (a program
/// may wait before some), the median.
void steady_begin(IssuedCall& first, const Trace& trace, const TracePart& part, const Joins& joins);

}  // namespace overcast
