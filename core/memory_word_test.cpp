#include "core/memory_word.hpp"

#include <gtest/gtest.h>

#include <set>

namespace overcast {
namespace {

TEST(MemoryWord, tells_every_kind_from_every_other) {
    EXPECT_EQ(memory_word(MemoryKind::pinned), "pinned");
    EXPECT_EQ(memory_word(MemoryKind::pageable), "pageable");
    std::set<std::string_view> words;
    for (const auto kind : {MemoryKind::unknown, MemoryKind::pageable, MemoryKind::pinned,
                            MemoryKind::device, MemoryKind::array, MemoryKind::managed}) {
        words.insert(memory_word(kind));
    }
    EXPECT_EQ(words.size(), 6U);
}

}  // namespace
}  // namespace overcast
