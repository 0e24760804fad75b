#include "core/large_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

TEST(LargePages, keep_what_is_there_at_any_place_and_of_any_size) {
    std::vector<char> memory(9 << 20, 'x');
    for (const std::size_t from : {0, 1, 4095, 3 << 20}) {
        for (const std::size_t bytes : {0, 1, 4096, (2 << 20) - 1, 2 << 20, 5 << 20}) {
            prefer_large_pages(memory.data() + from, bytes);
        }
    }
    EXPECT_TRUE(std::ranges::all_of(memory, [](char each) { return each == 'x'; }));
    prefer_large_pages(nullptr, 0);
}

}  // namespace
}  // namespace overcast
