// The middle and the ends of many values, of numbers or of durations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace overcast {

/// The middle one, or half-way between the two in the middle; zero where there is none.
template <typename Value>
Value median_of(std::vector<Value> values) {
    if (values.empty()) {
        return Value{};
    }
    std::ranges::sort(values);
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Nearest rank: the smallest that `percent` % of the values do not exceed; zero where there is
/// none.
template <typename Value>
Value percentile_of(std::vector<Value> values, std::size_t percent) {
    if (values.empty()) {
        return Value{};
    }
    const auto rank = (values.size() * percent + 99) / 100;  // rounded up, without fractions
    const auto place =
        values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
    std::ranges::nth_element(values, place);
    return *place;
}

}  // namespace overcast
