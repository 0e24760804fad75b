// The two directions of copies between host and device, as the fits of both need them.
#pragma once

#include "calibrate/draft.hpp"
#include "calibrate/probe_runs.hpp"

#include <string>
#include <vector>

namespace overcast {

struct CopyDirection {
    std::string prefix;  ///< of the parameters
    ActivityKind kind;
    TransferParameters* place;
    GapKind turnaround_gap;
    std::string chain;  ///< of the probe back_to_back
};

inline std::vector<CopyDirection> directions(Draft& draft) {
    return {{"h2d.", ActivityKind::h2d, &draft.model.h2d, GapKind::h2d_to_h2d, "hh"},
            {"d2h.", ActivityKind::d2h, &draft.model.d2h, GapKind::d2h_to_d2h, "dd"}};
}

/// As in the names of samples and phases.
inline std::string word(ActivityKind kind) { return kind == ActivityKind::h2d ? "h2d" : "d2h"; }

}  // namespace overcast
