// One direction of copies: its engine, and by what that is held up.
#pragma once

#include "core/units.hpp"
#include "model/count_curve.hpp"
#include "model/device_model.hpp"
#include "simulator/channel_set.hpp"
#include "simulator/channel_visit.hpp"
#include "simulator/copy_engine.hpp"
#include "simulator/rules.hpp"

#include <cstdint>

namespace overcast {

struct CopyDirection {
    /// Of copies to the device (ChannelKind::h2d) or to the host (d2h).
    CopyDirection(ChannelKind kind, const DeviceModel& model, const Rules& rules);

    const TransferParameters& parameters;
    const Curve& beside_dram;  ///< slow-down over bytes
    /// Slow-down over the channels that wait: of copies to the device per entry behind their heads.
    CountCurve beside_waiting;
    CountCurve turnaround_growth;  ///< ns, over the compute channels that wait
    ChannelKind kind;

    CopyEngine engine;
    ChannelVisit visit;
    bool finishing = false;   ///< the copy that ends first is being taken off
    TimelineTime last_end{};  ///< of the last copy that ended
    Duration last_moved{};    ///< how long before that its bytes were on the link

    Bytes bytes{UINT64_MAX};   ///< of the copy that started last
    double duplex_factor = 1;  ///< slow-down of such copies beside the other direction
    double dram_factor = 1;    ///< and beside kernels that fill the DRAM
    void set_bytes(Bytes of_copy);
};

}  // namespace overcast
