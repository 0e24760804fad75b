#include "core/names.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(NameTable, gives_one_id_per_text) {
    NameTable names;
    const auto copy = names.intern("cudaMemcpyAsync");
    const auto launch = names.intern("cudaLaunchKernel");
    EXPECT_NE(copy, launch);
    EXPECT_EQ(names.intern("cudaMemcpyAsync"), copy);
    EXPECT_EQ(names[launch], "cudaLaunchKernel");
}

TEST(NameTable, copy_does_not_point_into_the_original) {
    NameTable copy;
    {
        NameTable original;
        original.intern("a name too long for the small string optimisation");
        copy = original;
    }
    EXPECT_EQ(number(copy.intern("a name too long for the small string optimisation")), 0U);
    EXPECT_EQ(copy.size(), 1U);
}

}  // namespace
}  // namespace overcast
