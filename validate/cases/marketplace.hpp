// The cheapest offer of every product, as in the seed CUDA Marketplace.
#pragma once

#include "validate/cases/harness/memory.hpp"

#include <cstdint>
#include <span>

namespace overcast::cases {

struct alignas(8) Offer {
    std::uint32_t store;
    std::uint32_t price;  // 1 to 999

    friend bool operator==(const Offer&, const Offer&) = default;
};

/// The offer that stands at `position` in a product's list of `offers` (a power of two). No store
/// offers a product twice, and the stores are in no order.
Offer offer_of(std::uint32_t product, std::uint32_t position, std::uint32_t offers);

/// The lowest price; of equal prices, the lowest store number.
Offer cheapest_of(std::span<const Offer> offers);

/// The products of one of `chunks` chunks: equal shares, and the last one holds the rest.
Stretch chunk_of(std::uint32_t products, std::uint32_t chunks, std::uint32_t chunk);

}  // namespace overcast::cases
