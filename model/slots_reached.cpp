#include "model/slots_reached.hpp"

#include "model/kernel_model.hpp"

#include <algorithm>

namespace overcast {

double slots_reached(const KernelCounters& counters, Duration own, const DeviceModel& model) {
    const auto used = counters[KernelCounter::issue_slots].value_or(0);
    const auto counted = counters[KernelCounter::duration_ns].value_or(0);
    const auto sms = static_cast<double>(multiprocessors(model.device));
    const auto held = std::min(1.0, static_cast<double>(counters.grid.count()) / sms);
    const auto active = counters[KernelCounter::sm_active].value_or(0) * counted / held;
    const auto reading = std::max(0.0, counted - static_cast<double>(own.count()));
    const auto filled = reading < active ? std::min(1.0, used * active / (active - reading)) : used;
    return std::max(1.0, filled / model.kernels.capacities[SmUnit::issue_slots]);
}

}  // namespace overcast
