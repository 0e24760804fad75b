// How much repeated work scatters, before a trace has shown it.
#pragma once

namespace overcast {

/// Coefficient of variation that a class of operations is taken to have: it counts as much as two
/// recorded operations beside the class's own scatter (docs/model.md#intervals).
struct ScatterParameters {
    double pinned_copy = 0.005;
    double pageable_copy = 0.08;
    double kernel = 0.02;  ///< also memsets and copies inside the device
    double host_call = 0.3;
};

}  // namespace overcast
