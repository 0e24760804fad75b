#include "validate/cases/marketplace.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace overcast::cases {
namespace {

std::vector<Offer> offers_of(std::uint32_t product, std::uint32_t count) {
    std::vector<Offer> offers;
    for (std::uint32_t position = 0; position < count; ++position) {
        offers.push_back(offer_of(product, position, count));
    }
    return offers;
}

TEST(Cheapest, is_the_lowest_price) {
    EXPECT_EQ(cheapest_of(std::vector<Offer>{{7, 30}, {2, 10}, {5, 20}}), (Offer{2, 10}));
}

TEST(Cheapest, is_the_lowest_store_where_prices_tie) {
    EXPECT_EQ(cheapest_of(std::vector<Offer>{{7, 10}, {2, 10}, {1, 11}, {5, 10}}), (Offer{2, 10}));
}

TEST(Offers, name_every_store_once_at_prices_from_1_to_999) {
    std::set<std::uint32_t> stores;
    for (const Offer& offer : offers_of(4711, 1024)) {
        stores.insert(offer.store);
        EXPECT_GE(offer.price, 1U);
        EXPECT_LE(offer.price, 999U);
    }
    EXPECT_EQ(stores.size(), 1024U);
    EXPECT_EQ(*stores.rbegin(), 1023U);
}

TEST(Offers, tie_often_and_not_at_the_first_position) {
    std::uint32_t ties = 0;
    std::uint32_t later_position_wins = 0;
    for (std::uint32_t product = 0; product < 200; ++product) {
        const auto offers = offers_of(product, 1024);
        const Offer best = cheapest_of(offers);
        std::vector<std::uint32_t> stores;  // at the lowest price, in order of position
        for (const Offer& offer : offers) {
            if (offer.price == best.price) {
                stores.push_back(offer.store);
            }
        }
        ties += stores.size() > 1 ? 1 : 0;
        later_position_wins += stores.front() != best.store ? 1 : 0;
    }
    // 1,024 offers over 999 prices: the lowest price taken has company in about 42 % of products
    // (1 - 1 / (e - 1)), and in nearly half of those not the first position has the lowest store.
    EXPECT_GT(ties, 40U);
    EXPECT_GT(later_position_wins, 10U);
}

TEST(Chunks, share_the_products_and_the_last_one_holds_the_rest) {
    EXPECT_EQ(chunk_of(30'000, 30, 29).begin, 29'000U);
    EXPECT_EQ(chunk_of(30'000, 30, 29).size, 1'000U);
    EXPECT_EQ(chunk_of(22, 3, 0).size, 7U);
    EXPECT_EQ(chunk_of(22, 3, 1).begin, 7U);
    EXPECT_EQ(chunk_of(22, 3, 2).begin, 14U);
    EXPECT_EQ(chunk_of(22, 3, 2).size, 8U);
}

}  // namespace
}  // namespace overcast::cases
