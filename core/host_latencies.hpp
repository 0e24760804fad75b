// How long the host and the device take to hear from each other, as one trace shows it.
#pragma once

#include "core/overhead_parameters.hpp"

#include <optional>

namespace overcast {

/// Host clock against device clock: what an offset between the two adds is in them.
struct HostLatencies {
    /// Return of the call that issued the first work of an idle device → its start.
    std::optional<GapStatistics> kernel_start;
    std::optional<GapStatistics> memset_start;
    std::optional<GapStatistics> copy_start;
    std::optional<GapStatistics> inline_copy_start;  ///< small copies, which return at once
    /// End on the device → return of the call that waited for it.
    std::optional<GapStatistics> wake_up;
    /// Return of the call of a staged pageable copy to the device → end of that copy.
    std::optional<GapStatistics> early_return;
};

}  // namespace overcast
