#include "validate/cases/side_by_side.hpp"

#include "validate/cases/quadratic_map.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast::cases {
namespace {

TEST(SideBySide, takes_the_three_needs_by_turns) {
    EXPECT_EQ(kernel_of_few_blocks(0), (KernelShape{Need::arithmetic, 33}));
    EXPECT_EQ(kernel_of_few_blocks(1), (KernelShape{Need::shared_memory, 32}));
    EXPECT_EQ(kernel_of_few_blocks(2), (KernelShape{Need::device_memory, 24}));
    EXPECT_EQ(kernel_of_few_blocks(3), kernel_of_few_blocks(0));
}

TEST(SideBySideWaves, counts_waves_in_blocks_that_are_resident_at_once) {
    // Blocks of 1024 threads: 2 on each of 132 SMs; 100 KB + 1 KB of 228 KB: 2; 512 threads: 4.
    EXPECT_EQ(kernel_of_waves(0, 132), (KernelShape{Need::arithmetic, 66}));
    EXPECT_EQ(kernel_of_waves(1, 132), (KernelShape{Need::shared_memory, 66}));
    EXPECT_EQ(kernel_of_waves(2, 132), (KernelShape{Need::device_memory, 132}));
    EXPECT_EQ(kernel_of_waves(3, 132).blocks, 132U);   // 0.5 of 264
    EXPECT_EQ(kernel_of_waves(8, 132).blocks, 496U);   // 0.94 of 528
    EXPECT_EQ(kernel_of_waves(10, 132).blocks, 501U);  // 1.9 of 264
    EXPECT_EQ(kernel_of_waves(12, 132), kernel_of_waves(0, 132));
    EXPECT_EQ(kernel_of_waves(0, 1).blocks, 1U);  // never none
}

TEST(SideBySideResults, of_no_steps_are_where_a_thread_starts) {
    EXPECT_EQ(arithmetic_result(1, 7, 0), map_input(seed_of(1, 0), 7));
    EXPECT_EQ(shared_memory_result(1, 7, 0), mix(seed_of(1, 0) ^ 7));
    EXPECT_EQ(device_memory_result(1, 7, 64, 4'096, 0), 0U);
}

TEST(SideBySideResults, sum_the_words_of_a_thread_in_order) {
    // 16 words are 4 loads; of 3 threads, thread 0 has loads 0 and 3, thread 1 has load 1.
    const std::uint32_t seed = seed_of(4, 0);
    std::uint32_t sum = 0;
    for (const std::uint32_t word : {0U, 1U, 2U, 3U, 12U, 13U, 14U, 15U}) {
        sum = sum * 3 + mix(seed + word);
    }
    EXPECT_EQ(device_memory_result(4, 0, 3, 16, 1), sum);
    EXPECT_EQ(device_memory_result(4, 1, 3, 16, 1),
              ((mix(seed + 4) * 3 + mix(seed + 5)) * 3 + mix(seed + 6)) * 3 + mix(seed + 7));
}

TEST(SideBySideResults, tell_the_last_step_and_the_last_sweep) {
    EXPECT_NE(shared_memory_result(0, 0, 100), shared_memory_result(0, 0, 99));
    EXPECT_NE(device_memory_result(0, 0, 64, 4'096, 2), device_memory_result(0, 0, 64, 4'096, 1));
    EXPECT_NE(arithmetic_result(0, 0, 100), arithmetic_result(0, 0, 99));
}

}  // namespace
}  // namespace overcast::cases
