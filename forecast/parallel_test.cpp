#include "forecast/parallel.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace overcast {
namespace {

TEST(ForEachIndex, does_each_piece_once) {
    std::vector<int> done(1000);
    for_each_index(done.size(), [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 1000);
    EXPECT_EQ(*std::max_element(done.begin(), done.end()), 1);
    for_each_index(0, [](std::size_t) { FAIL(); });
}

TEST(ForEachIndex, throws_what_the_first_piece_threw_and_does_the_others) {
    std::vector<int> done(8);
    try {
        for_each_index(done.size(), [&](std::size_t i) {
            ++done[i];
            if (i == 3 || i == 5) {
                throw std::runtime_error(std::to_string(i));
            }
        });
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "3");
    }
    EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 8);
}

}  // namespace
}  // namespace overcast
