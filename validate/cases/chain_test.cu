#include "validate/cases/chain.hpp"

#include "validate/cases/quadratic_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace overcast::cases {
namespace {

TEST(QuadraticMap, stays_in_its_range_and_shows_a_missing_iteration) {
    for (std::uint32_t element = 0; element < 100; ++element) {
        const float start = map_input(seed_of(1, 0), element);
        EXPECT_GE(start, -1.0F);
        EXPECT_LT(start, 1.0F);
        const float result = iterate_map(start, 1'000);
        EXPECT_LE(std::abs(result), 1.967F);
        EXPECT_NE(result, iterate_map(start, 999));
    }
}

TEST(Chain, without_iterations_negates_the_mean_of_neighbours_in_reversed_tiles) {
    const ChainInput input{5, 2'048, 0};
    const auto value = [](std::uint32_t element) { return map_input(seed_of(5, 0), element); };
    // Tiles of 1,024: place 0 holds element 1,023; place 1,024 holds element 2,047.
    EXPECT_EQ(chain_element(input, 0), -mean_of(value(1'023), value(1'022)));
    EXPECT_EQ(chain_element(input, 1'023), -mean_of(value(0), value(2'047)));
    // The last element's neighbour is the first.
    EXPECT_EQ(chain_element(input, 2'047), -mean_of(value(1'024), value(1'023)));
}

TEST(ChainMemsets, without_iterations_gives_back_its_input) {
    // kept = input; the mean of kept and kept.
    for (const std::uint32_t element : {0U, 1U, 1'023U}) {
        EXPECT_EQ(chain_memsets_element({2, 1'024, 0}, element), map_input(seed_of(2, 0), element));
    }
}

TEST(Chains, give_every_element_of_every_unit_a_result_of_its_own) {
    std::set<float> results;
    for (std::uint32_t unit = 0; unit < 3; ++unit) {
        for (std::uint32_t element = 0; element < 50; ++element) {
            results.insert(chain_element({unit, 1'024, 100}, element));
            results.insert(chain_memsets_element({unit, 1'024, 100}, element));
        }
    }
    EXPECT_GT(results.size(), 295U);  // of 300; two floats may meet by chance
}

}  // namespace
}  // namespace overcast::cases
