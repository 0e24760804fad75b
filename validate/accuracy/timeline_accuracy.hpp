// How far a predicted timeline is from the recorded one, operation by operation.
#pragma once

#include "validate/accuracy/kernel_slowdown.hpp"
#include "validate/accuracy/played_program.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace overcast {

struct TimelineAccuracy {
    std::size_t operations = 0;  ///< compared: copies, memsets, kernels
    // How far the predicted start (end) of an operation is from the actual one, as share of the
    // actual makespan on the device. Both timelines begin with their first device start.
    double start_median_percent = 0;
    double start_p95_percent = 0;
    double end_median_percent = 0;
    double end_p95_percent = 0;
    /// Share of the copies of both copy engines that come in the actual order: the longest
    /// subsequence of the predicted order that is in the actual one. Absent without copies.
    std::optional<double> service_order_percent;
    // Engines (H2D, D2H, SMs) at work beside the first one, on average over the time in which any
    // works: 0 = never two at once, 200 = always all three.
    double actual_overlap_percent = 0;
    double predicted_overlap_percent = 0;
    std::vector<KernelSlowdown> slowdowns;
};

/// Operations are matched by their place in the order of issue, which both programs share.
/// Absent where they do not issue the same work, or the device did nothing.
std::optional<TimelineAccuracy> compare_timelines(const PlayedProgram& actual,
                                                  const PlayedProgram& predicted);

/// TimelineAccuracy::service_order_percent alone. Absent too where they issue other work.
std::optional<double> same_service_order(const PlayedProgram& actual,
                                         const PlayedProgram& predicted);

/// Length of the longest strictly rising subsequence.
std::size_t longest_rising(const std::vector<std::size_t>& values);

}  // namespace overcast
