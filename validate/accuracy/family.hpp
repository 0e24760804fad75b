// Which kind of program a case is, by rule, from its one-stream recording alone.
#pragma once

#include "core/workload.hpp"
#include "model/device_model.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace overcast {

enum class Family : std::uint8_t {
    co_run,  ///< kernels, perhaps memsets, and nothing to copy: streams can only place kernels side
             ///< by side
    mixed,   ///< units differ in their kinds of operations
    host_bound,  ///< the median unit takes less than 30 us on the device
    copy_bound,  ///< max(h, d) > 1.5 k
    balanced,    ///< max(h, d) from k / 1.5 to 1.5 k
    small_grid,  ///< kernel-bound; most kernel time is in grids of less than one wave
    full_grid,   ///< kernel-bound; most kernel time is in grids of a wave or more
};

inline constexpr std::array kFamilies{Family::co_run,     Family::mixed,    Family::host_bound,
                                      Family::copy_bound, Family::balanced, Family::small_grid,
                                      Family::full_grid};

/// "co-run", "mixed", "host-bound", "copy-bound", "balanced", "small-grid", "full-grid".
std::string_view to_string(Family family);

/// The first of the rules above that fits. h, d, k: the summed recorded durations of copies to the
/// device, copies to the host, and all that the SMs do (kernels, memsets, copies inside the
/// device). `recorded` has its units set (find_units).
Family family_of(const Workload& recorded, const DeviceModel& model);

}  // namespace overcast
