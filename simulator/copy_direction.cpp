#include "simulator/copy_direction.hpp"

#include <algorithm>

namespace overcast {

CopyDirection::CopyDirection(ChannelKind its_kind, const DeviceModel& model, const Rules& rules)
    : parameters{its_kind == ChannelKind::h2d ? model.h2d : model.d2h},
      beside_dram{its_kind == ChannelKind::h2d ? model.memory_kernels.h2d_factor
                                               : model.memory_kernels.d2h_factor},
      beside_waiting{!rules[Rule::waiting_slowdown] ? Curve{}
                     : its_kind == ChannelKind::h2d ? model.waiting_slowdown.per_entry
                                                    : model.waiting_slowdown.to_host},
      turnaround_growth{rules[Rule::waiting_slowdown] ? parameters.turnaround_growth_ns : Curve{}},
      kind{its_kind} {}

void CopyDirection::set_bytes(Bytes of_copy) {
    if (bytes == of_copy) {
        return;
    }
    bytes = of_copy;
    const auto size = static_cast<double>(bytes.count());
    duplex_factor = std::max(1.0, parameters.duplex_factor.logarithmic(size));
    dram_factor = beside_dram.logarithmic(size);
}

}  // namespace overcast
