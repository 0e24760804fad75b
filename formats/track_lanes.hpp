// Lays slices onto tracks so that no two slices of one track overlap: Perfetto drops those.
#pragma once

#include "core/units.hpp"

#include <cstddef>
#include <vector>

namespace overcast {

/// What slices of one lane may do: calls contain calls, device work never contains device work.
enum class Nesting : unsigned char { allowed, forbidden };

/// One track, with as many lanes as its slices need. Slices come in the order of their start, and
/// where those are equal the containing slice first.
class TrackLanes {
public:
    explicit TrackLanes(Nesting nesting) : nesting_{nesting} {}

    /// The lowest lane where the slice overlaps nothing, or (where allowed) lies wholly inside the
    /// slices it overlaps.
    std::size_t place(Duration start, Duration end);
    [[nodiscard]] std::size_t size() const { return lanes_.size(); }

private:
    using Lane = std::vector<Duration>;  // ends of the slices that are still open, outermost first

    Nesting nesting_;
    std::vector<Lane> lanes_;
};

}  // namespace overcast
