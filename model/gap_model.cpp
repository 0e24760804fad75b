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

GapModel::GapModel(const GapParameters& parameters) {
    for (std::size_t earlier = 0; earlier < kSides; ++earlier) {
        for (std::size_t later = 0; later < kSides; ++later) {
            const auto kind = static_cast<std::size_t>(kKinds[earlier][later]);
            auto& by_waiting = gaps_[earlier][later];
            for (std::size_t waiting = 0; waiting < by_waiting.size(); ++waiting) {
                const auto growth = parameters.growth_ns[kind].linear(static_cast<double>(waiting));
                by_waiting[waiting] =
                    parameters.base[kind] + (waiting == 0 ? Duration{} : round_to_duration(growth));
            }
        }
    }
}

}  // namespace overcast
