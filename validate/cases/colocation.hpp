// Which kinds of events occur near each other: the steps of GPU co-location mining.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace overcast::cases {

constexpr std::uint32_t kFeatures = 13;  // kinds of events, as in the seed's data

/// How many events of each feature lie in each cell of a grid.
struct CountMap {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint32_t> counts;  ///< [feature][row][column]
    std::vector<std::uint32_t> totals;  ///< [feature]

    [[nodiscard]] std::size_t cells() const { return std::size_t{width} * height; }
};

/// Events scattered over the grid, the same each time.
CountMap make_count_map(std::uint32_t width, std::uint32_t height);

/// For every cell, the set of features (bit f for feature f) with an event in it or in one of the
/// eight cells around it.
std::vector<std::uint32_t> features_near(const CountMap& map);

/// An upper bound of the participation index of a candidate (a set of features): of each feature,
/// the share of events that have all of the candidate's features in or around their cell; the least
/// of these. `near` is what features_near returns.
float participation_bound(const CountMap& map, std::span<const std::uint32_t> near,
                          std::span<const std::uint32_t> candidate);

/// All sets of `degree` features in lexicographic order, one after the other.
std::vector<std::uint32_t> candidates_of(std::uint32_t degree);

}  // namespace overcast::cases
