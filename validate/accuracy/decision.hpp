// Whether the configuration that a model calls best really is the best.
#pragma once

#include <cstddef>
#include <span>

namespace overcast {

/// One configuration as a choice: what it costs per piece of work.
struct Choice {
    double measured = 0;   ///< any unit of time, over the work done
    double predicted = 0;  ///< the same
};

struct Decision {
    std::size_t chosen = 0;  ///< index of the smallest prediction, the first of equals
    std::size_t best = 0;    ///< index of the smallest measurement
    /// How much longer the chosen one really takes than the best one, in percent of the best.
    double regret_percent = 0;
};

/// `choices` must not be empty.
Decision decide(std::span<const Choice> choices);

}  // namespace overcast
