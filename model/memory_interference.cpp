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

double copy_slow_down(const Curve& factor_by_bytes, std::uint64_t bytes, double dram_share) {
    if (factor_by_bytes.empty() || dram_share <= 0) {
        return 1;
    }
    const double full = factor_by_bytes.logarithmic(static_cast<double>(bytes));
    return 1 + std::min(1.0, dram_share) * std::max(0.0, full - 1);
}

}  // namespace overcast
