#include "model/calibration/duplex_fit.hpp"

namespace overcast {

std::optional<double> duplex_factor(Duration duration, Duration beside, Duration alone) {
    const auto done_beside = alone - (duration - beside);
    if (done_beside <= Duration{} || beside <= Duration{}) {
        return std::nullopt;
    }
    return static_cast<double>(beside.count()) / static_cast<double>(done_beside.count());
}

}  // namespace overcast
