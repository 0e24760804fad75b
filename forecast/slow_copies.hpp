// Whether the copies of a recording ran at the speed that the device model knows.
#pragma once

#include "core/workload.hpp"
#include "model/device_model.hpp"

namespace overcast {

/// Warns (`slow-copies`) where the pinned copies of one direction, none of them beside one of the
/// other, took a quarter longer in the recording than by a model of the same GPU: they are played
/// as they were recorded, and another run may be faster. Says nothing of a model of another GPU.
void warn_of_slow_copies(Workload& recorded, const DeviceModel& model);

}  // namespace overcast
