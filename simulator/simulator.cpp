#include "simulator/simulator.hpp"

#include "simulator/simulation.hpp"

#include <numeric>

namespace overcast {
WarmState fresh_state(const Workload& workload, const DeviceModel& model, const Rules& rules) {
    auto [connections, compute, h2d, d2h] =
        channels_under(model.channels, workload.max_connections);
    if (!rules[Rule::channel_fifo]) {  // a channel for each stream: nobody stands before another
        const auto own = [&](std::vector<std::uint32_t>& ids) {
            ids.resize(std::max<std::size_t>(workload.streams.size(), 1));
            std::iota(ids.begin(), ids.end(), 0U);
        };
        own(h2d);
        own(d2h);
        own(compute);
    }
    return {{ChannelOwnership{std::move(h2d)}, ChannelOwnership{std::move(d2h)},
             ChannelOwnership{std::move(compute)}}};
}

Timeline simulate(const Workload& workload, const DeviceModel& model, const Rules& rules) {
    auto state = fresh_state(workload, model, rules);
    if (workload.warm) {
        Simulation{workload, model, rules, state}.run();
    }
    return Simulation{workload, model, rules, state}.run();
}

}  // namespace overcast
