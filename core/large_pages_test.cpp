#include "core/large_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

TEST(LargePages, keep_what_is_there_at_any_place_and_of_any_size) {
    constexpr std::size_t kLargePage = 2 << 20;
    std::vector<char> memory(4 * kLargePage, 'x');
    for (const std::size_t from : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, kLargePage}) {
        for (const auto bytes : {std::size_t{0}, std::size_t{4096}, kLargePage - 1, kLargePage}) {
            prefer_large_pages(memory.data() + from, bytes);
        }
        prefer_large_pages(memory.data() + from, memory.size() - from);
    }
    EXPECT_TRUE(std::ranges::all_of(memory, [](char each) { return each == 'x'; }));
    prefer_large_pages(nullptr, 0);
}

}  // namespace
}  // namespace overcast
