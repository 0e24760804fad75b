// Units of many steps, all alike.
#pragma once

#include <cstdint>

namespace overcast::cases {

/// What decides every element of a chain's result.
struct ChainInput {
    std::uint32_t unit = 0;
    std::uint32_t elements = 0;
    std::uint32_t iterations = 0;
};

/// One element of the result of a unit of `chain` and of `chain_memsets`.
float chain_element(const ChainInput& input, std::uint32_t element);
float chain_memsets_element(const ChainInput& input, std::uint32_t element);

}  // namespace overcast::cases
