#include "tracer/code/instruction.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace overcast {
namespace {

// The words are ptxas' (CUDA 13.0, -arch=sm_90), of kernels whose source says what they do.

TEST(Instruction, a_multiply_add_takes_the_fma_pipe_and_says_how_long_the_next_one_waits) {
    // FFMA R7, R7, -1.9, R7: the next one of the chain comes four cycles later.
    const auto decoded = decode_instruction(0xbff3333307077423, 0x000fc80000000007);
    EXPECT_EQ(decoded.work, Work::fma);
    EXPECT_EQ(decoded.stall, 4U);
    EXPECT_FALSE(decoded.result_scoreboard);
    EXPECT_EQ(decoded.waits_for, 0U);
    EXPECT_FALSE(decoded.branch);
}

TEST(Instruction, a_load_holds_scoreboards_for_its_result_and_its_operands) {
    // place = __ldcg(words + place), a word
    const auto decoded = decode_instruction(0x0000000402007981, 0x000376000c1ef900);
    EXPECT_EQ(decoded.work, Work::global_load);
    EXPECT_EQ(decoded.width, 4U);
    EXPECT_EQ(decoded.stall, 11U);
    EXPECT_EQ(decoded.result_scoreboard, 5U);
    EXPECT_EQ(decoded.operand_scoreboard, 1U);
}

TEST(Instruction, what_needs_the_load_waits_for_its_scoreboard) {
    // IMAD.WIDE R2, R0, 4, R6: the place of the load before (5), and a constant (0)
    const auto decoded = decode_instruction(0x0000000400027825, 0x021fc600078e0006);
    EXPECT_EQ(decoded.work, Work::integer_fma);
    EXPECT_EQ(decoded.waits_for, 1U << 5U | 1U << 0U);
}

TEST(Instruction, a_branch_counts_instructions_from_the_next_one) {
    // At 0x2f0, back to 0x2b0.
    EXPECT_EQ(decode_instruction(0xfffffffc00ec8947, 0x002fea000383ffff).branch, -5);
    // At 0x280, on to 0x300.
    EXPECT_EQ(decode_instruction(0x00000000001ca947, 0x000fec0003800000).branch, 7);
    // To itself, behind the end of each kernel.
    EXPECT_EQ(decode_instruction(0xfffffffc00fc7947, 0x000fc0000383ffff).branch, -1);
}

TEST(Instruction, what_only_some_threads_do_says_so) {
    EXPECT_TRUE(decode_instruction(0xfffffffc00ec8947, 0x002fea000383ffff).conditional);  // @!P0
    EXPECT_TRUE(decode_instruction(0x00000000001ca947, 0x000fec0003800000).conditional);  // @!P2
    EXPECT_FALSE(decode_instruction(0xfffffffc00fc7947, 0x000fc0000383ffff).conditional);
    const auto exit = decode_instruction(0x000000000000794d, 0x000fea0003800000);
    EXPECT_TRUE(exit.is_exit);
    EXPECT_FALSE(exit.conditional);
    EXPECT_FALSE(decode_instruction(0x0000000000007918, 0x000fc00000000000).is_exit);
}

TEST(Instruction, sums_of_three_integers_take_the_alu_and_those_of_two_the_fma_pipe) {
    // IADD3 R0, R5, UR7, R0 and VIADD R5, R5, UR6: x + y + a and i - 1 of one loop.
    EXPECT_EQ(decode_instruction(0x0000000705007c10, 0x000fc8000fffe000).work, Work::alu);
    EXPECT_EQ(decode_instruction(0x0000000605057c36, 0x000fe40008000000).work, Work::integer_fma);
}

TEST(Instruction, the_form_of_the_operands_is_no_part_of_the_operation) {
    constexpr std::array<std::uint64_t, 4> kForms{0x223, 0x423, 0x823, 0xa23};
    for (const auto form : kForms) {
        EXPECT_EQ(decode_instruction(form, 0).work, Work::fma);
    }
}

TEST(Instruction, an_instruction_without_a_stall_takes_a_cycle_all_the_same) {
    EXPECT_EQ(decode_instruction(0x0000000000007918, 0x000fc00000000000).stall, 1U);
}

}  // namespace
}  // namespace overcast
