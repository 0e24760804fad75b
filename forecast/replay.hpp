// A recording, played once more as it was: the first check of a model against what is known.
#pragma once

#include "core/timeline.hpp"
#include "core/trace.hpp"
#include "core/workload.hpp"
#include "model/device_model.hpp"
#include "simulator/rules.hpp"
#include "workload/extract.hpp"

namespace overcast {

struct ReplayOptions {
    ExtractOptions extract;
    Rules rules;
};

/// `model` with the gaps and latencies that the recording shows, for a replay of that recording.
DeviceModel fitted_to(const DeviceModel& model, const Extraction& recording);

/// The recording taken apart with nothing taken out: each call as long as it was.
Extraction recorded_run(const Trace& trace, const DeviceModel& model,
                        const ExtractOptions& options);

struct Replay {
    Workload workload;
    Timeline recorded;
    Timeline replayed;
};

/// Plays the region of `trace` on its own streams and threads. Taken from the recording: the order
/// of calls, host time in and between them (the recorder's share stays in it), durations on the
/// idle device, and medians of gaps and latencies. Simulated: when the device does what, and every
/// wait.
/// Throws as `extract` does.
Replay replay(const Trace& trace, const DeviceModel& model, const ReplayOptions& options);

}  // namespace overcast
