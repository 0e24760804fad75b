// How much the operations of a recording scatter, and how sure that leaves their mean
// (docs/model.md#intervals).
#pragma once

#include "core/scatter_parameters.hpp"
#include "core/workload.hpp"

#include <cstdint>
#include <unordered_map>

namespace overcast {

/// Operations of one class do the same: copies of one direction, memory and size, launches of one
/// kernel and grid, calls of one name. A class of n operations with coefficient of variation c has
/// in another run a mean that differs from the recorded one by
///   c * sqrt(1/n + 1/n)
/// (standard deviation, relative: recording and other run are n draws each), where c takes in what
/// is assumed of its kind as two more operations.
///
/// What matters is the sum over the classes of one engine (or of the host). Classes scatter
/// independently: for a sum at the end of its 90 % interval each is moved by its share, so that
///   sum of the moves = 1.645 * sqrt(sum of the variances).
class TraceScatter {
public:
    TraceScatter(const Workload& recorded, const ScatterParameters& assumed);

    /// Half width of the 90 % interval of the mean duration of its class, relative; 0 for what was
    /// not recorded. `workload`: that of `operation`, the recorded one or made of it.
    [[nodiscard]] double of_duration(const Workload& workload, const Operation& operation) const;

    /// The same of the host time inside its call.
    [[nodiscard]] double of_call(const Operation& operation) const;

private:
    std::unordered_map<std::uint64_t, double> durations_;
    std::unordered_map<std::uint64_t, double> calls_;
};

}  // namespace overcast
