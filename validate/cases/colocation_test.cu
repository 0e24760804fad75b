#include "validate/cases/colocation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace overcast::cases {
namespace {

/// A map of so many cells without events.
CountMap empty_map(std::uint32_t width, std::uint32_t height) {
    CountMap map{width, height, {}, std::vector<std::uint32_t>(kFeatures)};
    map.counts.resize(kFeatures * map.cells());
    return map;
}

void put(CountMap& map, std::uint32_t feature, std::uint32_t row, std::uint32_t column,
         std::uint32_t events) {
    map.counts[feature * map.cells() + row * map.width + column] += events;
    map.totals[feature] += events;
}

TEST(FeaturesNear, reach_into_all_eight_neighbours_and_not_around_the_edge) {
    CountMap map = empty_map(4, 3);
    put(map, 0, 0, 0, 1);
    put(map, 3, 2, 3, 2);
    EXPECT_EQ(features_near(map), (std::vector<std::uint32_t>{1, 1, 0, 0,  //
                                                              1, 1, 8, 8,  //
                                                              0, 0, 8, 8}));
}

TEST(ParticipationBound, is_the_least_share_of_events_with_all_features_near) {
    CountMap map = empty_map(6, 1);
    put(map, 0, 0, 0, 1);  // near to the three events of feature 1 in the next cell
    put(map, 1, 0, 1, 3);
    put(map, 0, 0, 5, 1);  // alone
    const auto near = features_near(map);
    // Feature 0: 1 of 2 events; feature 1: 3 of 3.
    EXPECT_EQ(participation_bound(map, near, std::vector<std::uint32_t>{0, 1}), 0.5F);
    put(map, 2, 0, 3, 4);  // near to neither
    EXPECT_EQ(participation_bound(map, features_near(map), std::vector<std::uint32_t>{0, 1, 2}),
              0.0F);
}

TEST(CountMaps, have_events_of_every_feature_and_bounds_between_zero_and_one) {
    const CountMap map = make_count_map(160, 250);
    for (const std::uint32_t total : map.totals) {
        // An eighth of 40,000 cells with 1 to 4 events, 2.5 in the mean: 12,500 give or take.
        EXPECT_NEAR(total, 12'500.0, 1'000.0);
    }
    const auto near = features_near(map);
    std::set<float> bounds;
    for (std::uint32_t other = 1; other < kFeatures; ++other) {
        const float bound = participation_bound(map, near, std::vector<std::uint32_t>{0, other});
        // Nine cells, each without the other feature with a chance of 7/8: 1 - (7/8)^9 = 0.70.
        EXPECT_NEAR(bound, 0.70F, 0.03F);
        bounds.insert(bound);
    }
    EXPECT_GT(bounds.size(), 6U);
}

TEST(Candidates, are_all_sets_of_a_degree_in_order) {
    const auto pairs = candidates_of(2);
    EXPECT_EQ(pairs.size(), 2U * 78U);  // 13 * 12 / 2
    EXPECT_EQ(std::vector(pairs.begin(), pairs.begin() + 4),
              (std::vector<std::uint32_t>{0, 1, 0, 2}));
    EXPECT_EQ(std::vector(pairs.end() - 2, pairs.end()), (std::vector<std::uint32_t>{11, 12}));
    EXPECT_EQ(candidates_of(3).size(), 3U * 286U);   // 13 * 12 * 11 / 6
    EXPECT_EQ(candidates_of(7).size(), 7U * 1716U);  // 13! / (7! * 6!)
    EXPECT_EQ(candidates_of(13).size(), 13U);
}

TEST(Candidates, hold_no_feature_twice_and_no_set_twice) {
    const auto triples = candidates_of(3);
    std::set<std::vector<std::uint32_t>> seen;
    for (auto first = triples.begin(); first != triples.end(); first += 3) {
        EXPECT_TRUE(std::is_sorted(first, first + 3, std::less_equal<>{}) && *(first + 2) < 13U);
        EXPECT_TRUE(seen.emplace(first, first + 3).second);
    }
}

}  // namespace
}  // namespace overcast::cases
