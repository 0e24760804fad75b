#include "validate/cases/colocation_refine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overcast::cases {
namespace {

std::vector<std::uint32_t> rows_per_instance(std::uint32_t instances, std::uint32_t rows,
                                             std::uint32_t unit) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < instances; ++i) {
        const std::uint32_t end =
            i + 1 < instances ? first_row_of(i + 1, instances, rows, unit) : rows;
        result.push_back(end - first_row_of(i, instances, rows, unit));
    }
    return result;
}

TEST(InstanceTable, begins_with_the_first_instance_and_leaves_none_without_rows) {
    for (const std::uint32_t rows : {35'000U, 35'001U, 69'999U, 8'388'608U}) {
        EXPECT_EQ(first_row_of(0, 35'000, rows, 3), 0U);
        const auto counts = rows_per_instance(35'000, rows, 3);
        // A step back would be a count near 2^32.
        EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 1U) << rows;
        EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 2 * (rows / 35'000) + 1) << rows;
    }
}

TEST(InstanceTable, is_uneven) {
    const auto counts = rows_per_instance(32'768, 2'097'152, 0);  // 64 rows in the mean
    EXPECT_LT(*std::min_element(counts.begin(), counts.end()), 8U);
    EXPECT_GT(*std::max_element(counts.begin(), counts.end()), 120U);
}

}  // namespace
}  // namespace overcast::cases
