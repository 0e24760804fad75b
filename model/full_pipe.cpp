#include "model/full_pipe.hpp"

#include "model/kernel_model.hpp"

#include <algorithm>
#include <cmath>

namespace overcast {

double longest_wait(std::size_t unit, const DeviceModel& model) {
    const auto xu = unit == static_cast<std::size_t>(SmUnit::xu_pipe);
    const auto ns = xu ? model.kernels.longest_xu_wait_ns : model.kernels.longest_wait_ns;
    return pipe_cycles(unit) > 0 ? ns * cycles_per_ns(model.device) : 0;
}

double idle_share(double warps, double load) {
    constexpr double kMostOfOne = 0.9;  // Assumes: the rest of an instruction's time is its way
    const auto count = std::max(1.0, std::round(warps));
    const auto used = std::min(load / count, kMostOfOne);
    const auto ratio = used / (1 - used);
    double term = 1;
    double sum = 1;
    for (double left = count; left > 0; --left) {
        term *= left * ratio;
        sum += term;
    }
    return 1 / sum;
}

}  // namespace overcast
