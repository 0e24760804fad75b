// Input values: the same in every run, different from unit to unit.
#pragma once

#include "validate/cases/harness/memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overcast::cases {

/// Values in [-1, 1) that repeat after a length that no buffer size divides.
class Pattern {
public:
    Pattern() {
        std::uint32_t state = 12345;
        for (auto& value : values_) {
            state = state * 1664525U + 1013904223U;
            value = static_cast<float>(state >> 8) / static_cast<float>(1U << 23) - 1.0F;
        }
    }

    /// The stretch of the pattern that begins at `offset`.
    void fill(const HostArray<float>& target, std::size_t offset) const {
        offset %= values_.size();
        for (std::size_t done = 0; done < target.size();) {
            const std::size_t length = std::min(target.size() - done, values_.size() - offset);
            std::copy_n(values_.data() + offset, length, target.data() + done);
            done += length;
            offset = 0;
        }
    }

    /// The same as whole numbers in [-1000, 999], of which floats hold every sum of 16,000 exactly.
    void fill_whole_numbers(const HostArray<float>& target, std::size_t offset) const {
        fill(target, offset);
        std::for_each_n(target.data(), target.size(),
                        [](float& value) { value = std::floor(value * 1000.0F); });
    }

private:
    std::vector<float> values_ = std::vector<float>((std::size_t{1} << 18) - 1);
};

}  // namespace overcast::cases
