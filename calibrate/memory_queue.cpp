// How many instructions wait in the queue of an SM to memory before others.
#include "calibrate/measurements.hpp"
#include "core/statistics.hpp"
#include "model/calibration/median_fit.hpp"

#include <algorithm>

namespace overcast {

/// Those that an SM lets through while a read of shared memory waits longer than alone.
void measure_memory_queue(const ProbeRuns& runs, Draft& draft) {
    const auto& output = runs.get("memory_queue", ProbeMode::untraced).output;
    const auto beside = output.xs("memory_queue_instruction");
    if (beside.empty()) {
        return;
    }
    const auto most = std::ranges::max(beside);
    const auto alone = median_of(output.at("memory_queue_read", 0));
    const auto waits = median_of(output.at("memory_queue_read", most)) - alone;
    const auto each = median_of(output.at("memory_queue_instruction", most));
    draft.set("kernel.memory_queue.instructions", draft.model.kernels.capacities.queue_instructions,
              fit_median({waits / each}),
              "probe memory_queue, untraced: how much longer a read of shared memory takes beside "
              "loads whose lines find no room in the L1, over the time between two of these");
}

}  // namespace overcast
