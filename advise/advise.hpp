// Trace → Advice: which causes keep the recorded program from overlapping, what each costs, and the
// schedule that remains without them.
#pragma once

#include "advise/schedule_search.hpp"
#include "core/diagnosis.hpp"
#include "core/trace.hpp"
#include "forecast/predict.hpp"
#include "forecast/prepare.hpp"

#include <string>
#include <vector>

namespace overcast {

struct AdviseOptions : PrepareOptions {
    SearchSpace search;
    /// Ids of diagnoses whose changes count as made already: all savings are beyond theirs.
    std::vector<std::string> made;
    bool intervals = true;  ///< of savings and schedules, up to kMostOperationsForIntervals
};

/// A saving below this share of the wall time is nothing to gain.
constexpr double kWorthwhile = 0.005;

/// `model`: of the GPU that the trace was recorded on.
///
/// Each cause that is found is removed from the workload and the result played again: alone, from
/// the program as it was recorded, and as the last one, from the program in which all others are
/// removed already. The schedule is searched with all removed.
/// Throws UsageError if an option does not fit the trace, Error if the trace cannot be predicted.
Advice advise(const Trace& trace, const DeviceModel& model, const AdviseOptions& options);

struct PlayedAdvice {
    Advice advice;
    PlayedConfiguration played;  ///< what `advice.path` is the critical path of
};

/// As advise, with the timeline of what is advised.
PlayedAdvice advise_and_play(const Trace& trace, const DeviceModel& model,
                             const AdviseOptions& options);

}  // namespace overcast
