#include "simulator/simulator.hpp"

#include "simulator/simulation.hpp"

#include <numeric>

namespace overcast {
namespace {

/// Channel ids of one kind: as measured for the default count, else counted up from the first id
/// that this many connections leave to the kind (7).
std::vector<std::uint32_t> channel_ids(const std::vector<std::uint32_t>& measured,
                                       std::uint32_t kinds_before,
                                       std::optional<std::uint32_t> connections) {
    if (!connections) {
        return measured;
    }
    std::vector<std::uint32_t> ids(std::max(1U, *connections));
    std::iota(ids.begin(), ids.end(), kinds_before * *connections);
    return ids;
}

}  // namespace

WarmState fresh_state(const Workload& workload, const DeviceModel& model, const Rules& rules) {
    const auto& channels = model.channels;
    const auto connections = workload.max_connections;
    auto h2d = channel_ids(channels.h2d, 1, connections);
    auto d2h = channel_ids(channels.d2h, 2, connections);
    auto compute = channel_ids(channels.compute, 0, connections);
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
