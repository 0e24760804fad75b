#include "validate/cases/matmul.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace overcast::cases {
namespace {

TEST(ProductElement, is_a_whole_number_no_larger_than_nine_per_step) {
    const MatrixShape shape{32, 16, 500};
    for (std::uint32_t row = 0; row < shape.rows; row += 7) {
        for (std::uint32_t column = 0; column < shape.columns; column += 3) {
            const float element = product_element(shape, 2, row, column);
            EXPECT_EQ(element, std::floor(element));
            EXPECT_LE(element, 9.0F * 500.0F);
            // Factors of 0 to 3 at random have a mean product of 2.25; 500 of them scatter by 60.
            EXPECT_NEAR(element, 2.25F * 500.0F, 6 * 60.0F);
        }
    }
}

TEST(ProductElement, grows_step_by_step_so_that_none_can_be_left_out) {
    // The first 40 columns of a one-row matrix are the same whatever the inner length.
    float previous = 0;
    std::set<float> increments;
    for (std::uint32_t inner = 1; inner <= 40; ++inner) {
        const float sum = product_element({1, 1, inner}, 0, 0, 0);
        increments.insert(sum - previous);
        previous = sum;
    }
    for (const float increment : increments) {
        EXPECT_TRUE((std::set<float>{0, 1, 2, 3, 4, 6, 9}).contains(increment)) << increment;
    }
    EXPECT_GT(increments.size(), 3U);
}

TEST(ProductElement, differs_by_unit_row_and_column) {
    const MatrixShape shape{32, 16, 4096};
    std::set<float> elements;
    for (std::uint32_t i = 0; i < 4; ++i) {
        elements.insert(product_element(shape, i, 0, 0));
        elements.insert(product_element(shape, 0, i + 1, 0));
        elements.insert(product_element(shape, 0, 0, i + 1));
    }
    // Twelve sums that scatter by 172 around 9216: a few may meet by chance, not most.
    EXPECT_GT(elements.size(), 8U);
}

}  // namespace
}  // namespace overcast::cases
