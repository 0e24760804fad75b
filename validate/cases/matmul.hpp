// Products of a wide and a tall matrix, as in the seed learn-cuda.
#pragma once

#include <cstdint>

namespace overcast::cases {

struct MatrixShape {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t inner = 0;  ///< columns of the first factor, rows of the second
};

/// One element of the product of unit `unit`: a whole number that a float holds exactly.
float product_element(const MatrixShape& shape, std::uint32_t unit, std::uint32_t row,
                      std::uint32_t column);

}  // namespace overcast::cases
