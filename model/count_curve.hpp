// A curve over how many there are of something.
#pragma once

#include "model/curve.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace overcast {

/// Curve::linear() at whole numbers, looked up where they are small: for what is asked at every
/// step of a simulation. An empty curve is 0 everywhere.
class CountCurve {
public:
    explicit CountCurve(Curve curve) : curve_{std::move(curve)} {
        for (std::size_t count = 0; count < looked_up_.size(); ++count) {
            looked_up_[count] = curve_.linear(static_cast<double>(count));
        }
    }

    [[nodiscard]] double at(std::uint32_t count) const {
        return count < looked_up_.size() ? looked_up_[count] : curve_.linear(count);
    }

private:
    static constexpr std::size_t kLookedUp = 33;  // CUDA opens at most 32 channels of a kind

    Curve curve_;
    std::array<double, kLookedUp> looked_up_{};
};

}  // namespace overcast
