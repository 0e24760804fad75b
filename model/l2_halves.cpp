#include "model/l2_halves.hpp"

#include "model/device_model.hpp"
#include "model/kernel_concurrency.hpp"

#include <algorithm>

namespace overcast {

bool L2Halves::felt(Bytes recorded_round, Bytes round) const {
    const auto few = both_by_sms.points().front().x;
    const auto many = both_by_sms.points().back().x;
    const auto at_first = load_ns(recorded_round, few);
    return load_ns(round, few) != at_first || load_ns(round, many) != at_first;
}

double L2Halves::load_ns(Bytes round, double sms) const {
    const auto bytes = static_cast<double>(round.count());
    const auto one = ns_in_one.linear(bytes);
    return one + both_by_sms.linear(sms) * (ns_in_both.linear(bytes) - one);
}

double bytes_of_round(std::span<const RoundUser> users, std::size_t place) {
    const auto& user = users[place];
    const auto time = user.bytes / user.lookups;
    double bytes = user.bytes;
    for (std::size_t i = 0; i < users.size(); ++i) {
        const auto meanwhile = users[i].lookups * time;
        if (i != place) {
            bytes += users[i].bytes > 0 ? std::min(users[i].bytes, meanwhile) : meanwhile;
        }
    }
    return bytes;
}

RoundSlowDown slow_down_of_round(const UnitDemand& units, const DeviceModel& model,
                                 Bytes recorded_round, double recorded_sms, Bytes round) {
    const auto& halves = model.kernels.l2_halves;
    const auto& capacities = model.kernels.capacities;
    if (!halves.measured() || units.l2_waits <= 0 || capacities.l2_latency_ns <= 0) {
        return {};
    }
    const auto mean = mean_load(units.l2_hit_rate, capacities.dram_latency);
    const auto other = std::max(0.0, 1 - units.l2_waits * mean);
    const auto with = [&](double load_ns) {
        return other + units.l2_waits * load_ns / capacities.l2_latency_ns;
    };
    const auto recorded = with(halves.load_ns(recorded_round, recorded_sms));
    const auto bytes = static_cast<double>(round.count());
    return {with(halves.ns_in_one.linear(bytes)) / recorded,
            with(halves.ns_in_both.linear(bytes)) / recorded};
}

}  // namespace overcast
