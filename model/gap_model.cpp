#include "model/gap_model.hpp"

#include <algorithm>
#include <array>

namespace overcast {
namespace {

/// [earlier][later]. D2H → kernel was not measured apart: it waits like H2D → kernel.
constexpr std::array<std::array<GapKind, 3>, 3> kKinds{{
    {GapKind::h2d_to_h2d, GapKind::kernel_to_d2h, GapKind::h2d_to_kernel},
    {GapKind::d2h_to_h2d, GapKind::d2h_to_d2h, GapKind::h2d_to_kernel},
    {GapKind::kernel_to_d2h, GapKind::kernel_to_d2h, GapKind::kernel_to_kernel},
}};

/// Files of before it was measured: a kernel that waits for a copy to the device has the channel of
/// one that waits for a kernel, which reads its next commands over the same link.
const Curve& beside_h2d(const GapParameters& parameters, std::size_t kind) {
    const auto& own = parameters.growth_beside_h2d_ns[kind];
    const bool as_kernels = own.empty() && kind == static_cast<std::size_t>(GapKind::h2d_to_kernel);
    return as_kernels
               ? parameters
                     .growth_beside_h2d_ns[static_cast<std::size_t>(GapKind::kernel_to_kernel)]
               : own;
}

double growth_ns(const GapParameters& parameters, std::size_t kind, LinkLoad load, double waiting) {
    const auto beside = [&](const Curve& curve) {
        return curve.empty() ? growth_ns(parameters, kind, LinkLoad::none, waiting)
                             : curve.linear(waiting);
    };
    switch (load) {
        case LinkLoad::none: return waiting == 0 ? 0 : parameters.growth_ns[kind].linear(waiting);
        case LinkLoad::h2d: return beside(beside_h2d(parameters, kind));
        case LinkLoad::d2h: return beside(parameters.growth_beside_d2h_ns[kind]);
        case LinkLoad::both: break;
    }
    return std::max(growth_ns(parameters, kind, LinkLoad::h2d, waiting),
                    growth_ns(parameters, kind, LinkLoad::d2h, waiting));
}

}  // namespace

Duration GapModel::behind(Bytes brought, LinkLoad load) const {
    const auto at = [&](LinkLoad of) {
        const auto& curve = by_brought_[static_cast<std::size_t>(of)];
        return curve.empty() ? 0 : curve.linear(static_cast<double>(brought.count()));
    };
    return round_to_duration(load == LinkLoad::both ? std::max(at(LinkLoad::h2d), at(LinkLoad::d2h))
                                                    : at(load));
}

GapModel::GapModel(const GapParameters& parameters) : by_brought_{parameters.growth_ns_by_bytes} {
    for (std::size_t earlier = 0; earlier < kSides; ++earlier) {
        for (std::size_t later = 0; later < kSides; ++later) {
            const auto kind = static_cast<std::size_t>(kKinds[earlier][later]);
            late_[earlier][later] = earlier == later
                                        ? Duration::min()
                                        : parameters.late_arrival[kind].value_or(Duration::min());
        }
    }
    for (std::size_t load = 0; load < kLoads; ++load) {
        for (std::size_t earlier = 0; earlier < kSides; ++earlier) {
            for (std::size_t later = 0; later < kSides; ++later) {
                const auto kind = static_cast<std::size_t>(kKinds[earlier][later]);
                auto& by_waiting = gaps_[load][earlier][later];
                for (std::size_t waiting = 0; waiting < by_waiting.size(); ++waiting) {
                    const auto growth = growth_ns(parameters, kind, static_cast<LinkLoad>(load),
                                                  static_cast<double>(waiting));
                    by_waiting[waiting] = parameters.base[kind] + round_to_duration(growth);
                    auto& matters = link_matters_[earlier][later][waiting];
                    matters = matters || by_waiting[waiting] != gaps_[0][earlier][later][waiting];
                }
            }
        }
    }
}

}  // namespace overcast
