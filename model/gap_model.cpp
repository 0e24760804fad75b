#include "model/gap_model.hpp"

#include <array>

namespace overcast {
namespace {

/// [earlier][later]. D2H → kernel was not measured apart: it waits like H2D → kernel.
constexpr std::array<std::array<GapKind, 3>, 3> kKinds{{
    {GapKind::h2d_to_h2d, GapKind::kernel_to_d2h, GapKind::h2d_to_kernel},
    {GapKind::d2h_to_h2d, GapKind::d2h_to_d2h, GapKind::h2d_to_kernel},
    {GapKind::kernel_to_d2h, GapKind::kernel_to_d2h, GapKind::kernel_to_kernel},
}};

}  // namespace

Duration stream_gap(GapSide earlier, GapSide later, std::uint32_t waiting,
                    const GapParameters& parameters) {
    const auto kind = static_cast<std::size_t>(
        kKinds[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)]);
    const auto& growth = parameters.growth_ns[kind];
    if (waiting == 0 || growth.empty()) {
        return parameters.base[kind];
    }
    return parameters.base[kind] + round_to_duration(growth.linear(waiting));
}

}  // namespace overcast
