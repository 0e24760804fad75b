#include "model/calibration/rising_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace overcast {
namespace {

struct Pool {
    double sum = 0;
    std::size_t count = 0;

    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

}  // namespace

std::vector<DataPoint> fit_rising(const std::vector<DataPoint>& data) {
    std::vector<Pool> pools;
    for (const auto& point : data) {
        pools.push_back({point.y, 1});
        while (pools.size() > 1 && pools.back().mean() < pools[pools.size() - 2].mean()) {
            const auto last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().count += last.count;
        }
    }
    std::vector<DataPoint> rising;
    for (const auto& pool : pools) {
        for (std::size_t i = 0; i < pool.count; ++i) {
            rising.push_back({data[rising.size()].x, pool.mean()});
        }
    }
    return rising;
}

std::vector<DataPoint> fit_rising_delays_ns(const std::vector<DataPoint>& data) {
    auto rising = fit_rising(data);
    for (auto& point : rising) {
        point.y = std::max(0.0, std::round(point.y));
    }
    return rising;
}

}  // namespace overcast
