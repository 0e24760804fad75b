// No overlap at all.
#pragma once

#include "core/prediction.hpp"
#include "workload/extract.hpp"

#include <optional>

namespace overcast {

/// One operation after the other, whatever the number of streams: the recorded durations of all
/// operations, plus the time in which the recorded device had nothing to do between its first and
/// its last operation (the gaps of the one stream). On one stream that is the recorded time from
/// the first device start to the last device end; `replicate` repeats it once per stream. Parts of
/// a split take as long together as the whole. No host: what it does before the first and behind
/// the last operation is not in it. Absent where nothing ran on the device.
std::optional<Duration> predict_serial(const Extraction& recorded,
                                       const Configuration& configuration);

}  // namespace overcast
