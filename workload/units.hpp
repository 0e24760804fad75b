// The repeated units of a workload: what can be dealt over streams.
#pragma once

#include "core/workload.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace overcast {

/// `--unit auto|whole|nvtx:NAME|count:K`.
struct UnitChoice {
    enum class Kind : std::uint8_t { automatic, whole, nvtx, count };
    Kind kind = Kind::automatic;
    std::string name;         ///< for nvtx
    std::uint32_t count = 0;  ///< for count
};

/// Throws UsageError on anything else than the four forms.
UnitChoice parse_unit_choice(std::string_view text);

/// Sets Operation::unit and Workload::units. Operations before the first and after the last unit
/// keep no unit. With `automatic` and no repetition, the whole region is one unit.
/// Adds warnings to the workload where the grouping is doubtful.
/// Throws UsageError if the choice does not fit the workload (no such NVTX range, count that does
/// not divide).
void find_units(Workload& workload, const UnitChoice& choice);

}  // namespace overcast
