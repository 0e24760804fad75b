#include "model/memory_interference.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

MemoryKernelParameters parameters() {
    MemoryKernelParameters made;
    made.read_beside_h2d = 1.06;
    made.write_beside_h2d = 1.02;
    made.write_beside_d2h = 1.12;
    return made;
}

TEST(MemoryInterference, slows_a_kernel_by_its_share_of_the_memory) {
    // Mean of reading and writing: 4 % beside H2D, 6 % beside D2H; half of it at half the share.
    EXPECT_DOUBLE_EQ(kernel_slow_down(parameters(), 1, true, false), 1.04);
    EXPECT_DOUBLE_EQ(kernel_slow_down(parameters(), 0.5, false, true), 1.03);
    EXPECT_DOUBLE_EQ(kernel_slow_down(parameters(), 1, true, true), 1.10);
}

TEST(MemoryInterference, spares_kernels_without_copies_or_memory) {
    EXPECT_EQ(kernel_slow_down(parameters(), 1, false, false), 1);
    EXPECT_EQ(kernel_slow_down(parameters(), 0, true, true), 1);
}

TEST(MemoryInterference, slows_a_copy_by_its_size_and_the_kernels_share) {
    const Curve factor{{{1024, 1.2}, {4096, 1.0}}};
    EXPECT_DOUBLE_EQ(copy_slow_down(factor.logarithmic(1024), 1), 1.2);
    EXPECT_DOUBLE_EQ(copy_slow_down(factor.logarithmic(1024), 0.5), 1.1);
    EXPECT_DOUBLE_EQ(copy_slow_down(factor.logarithmic(1024), 3),
                     1.2);  // there is no more than all of it
    EXPECT_DOUBLE_EQ(copy_slow_down(factor.logarithmic(2048), 1), 1.1);  // half-way in log bytes
    EXPECT_EQ(copy_slow_down(Curve{}.logarithmic(1024), 1), 1);
}

}  // namespace
}  // namespace overcast
