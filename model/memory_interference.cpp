#include "model/memory_interference.hpp"

#include <algorithm>

namespace overcast {

double kernel_slow_down(const MemoryKernelParameters& parameters, double dram_share, bool h2d,
                        bool d2h) {
    const auto more = [](double read, double write) { return (read + write) / 2 - 1; };
    double sum = 0;
    if (h2d) {
        sum += more(parameters.read_beside_h2d, parameters.write_beside_h2d);
    }
    if (d2h) {
        sum += more(parameters.read_beside_d2h, parameters.write_beside_d2h);
    }
    return 1 + dram_share * std::max(0.0, sum);
}

}  // namespace overcast
