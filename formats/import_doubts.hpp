// What traces of other recorders lack, said as warnings.
#pragma once

#include "core/trace.hpp"

namespace overcast {

/// Warns where no device activity says which hardware channel served it.
void warn_of_missing_channels(Trace& trace);

/// Warns where every time is a whole number of microseconds, as older versions of PyTorch's
/// profiler write them. Call it before the times are shifted to another base.
void warn_of_whole_microseconds(Trace& trace);

}  // namespace overcast
