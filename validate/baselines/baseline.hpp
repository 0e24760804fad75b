// Models of others, judged on the same cases as ours.
#pragma once

#include "core/prediction.hpp"
#include "core/units.hpp"
#include "workload/extract.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace overcast {

/// One model that predicts how long a configuration takes.
struct Baseline {
    std::string_view name;     ///< "ideal-overlap": what --baseline takes and reports show
    std::string_view summary;  ///< one line for --help
    /// `recorded`: the one-stream recording with its units set (find_units) and its measured
    /// timeline. Absent where the model says nothing about such work.
    std::optional<Duration> (*predict)(const Extraction& recorded,
                                       const Configuration& configuration);
};

/// serial, ideal-overlap, trans-kernel-model.
std::span<const Baseline> baselines();

/// Throws UsageError that lists the known names.
const Baseline& find_baseline(std::string_view name);

}  // namespace overcast
