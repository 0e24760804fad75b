#include "tracer/code/kernel_pass.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace overcast {
namespace {

constexpr double kLoopEnd = 10;  // cycles that a branch back costs

Instruction does(Work work, std::uint32_t stall = 1) {
    Instruction instruction;
    instruction.work = work;
    instruction.stall = stall;
    return instruction;
}

Instruction loads(Work work, std::uint32_t scoreboard, std::uint32_t width = 4) {
    auto instruction = does(work);
    instruction.result_scoreboard = scoreboard;
    instruction.width = width;
    return instruction;
}

Instruction waiting_for(std::uint32_t scoreboard) {
    auto instruction = does(Work::fma);
    instruction.waits_for = 1U << scoreboard;
    return instruction;
}

/// Back over itself and `instructions` before it.
Instruction back_over(std::int64_t instructions) {
    auto instruction = does(Work::issue_only);
    instruction.branch = -instructions - 1;
    return instruction;
}

TEST(KernelPass, a_chain_takes_the_stalls_of_its_instructions) {
    std::vector<Instruction> code(16, does(Work::fma, 4));
    code.push_back(back_over(16));
    const auto pass = *kernel_pass(code);
    EXPECT_EQ(pass.instructions, 17);
    EXPECT_EQ(pass.cycles, 16 * 4 + 1 + kLoopEnd);
    EXPECT_EQ(pass.memory_waits, 0);
    EXPECT_EQ(pass[CodeUnit::fma_pipe], 16);
    EXPECT_EQ(pass[CodeUnit::alu_pipe], 0);
}

TEST(KernelPass, loads_on_their_way_together_are_waited_for_once) {
    const std::vector<Instruction> together{loads(Work::global_load, 0, 16),
                                            loads(Work::global_load, 1, 16), waiting_for(0),
                                            waiting_for(1), back_over(4)};
    const auto pass = *kernel_pass(together);
    EXPECT_NEAR(pass.memory_waits, 1, 0.01);
    EXPECT_EQ(pass.global_bytes, 2 * 32 * 16);
    EXPECT_EQ(pass[CodeUnit::lsu_pipe], 2 * 4);  // a cycle each of what the SM has one of
    EXPECT_EQ(pass[CodeUnit::l1], 2 * 4 * 4);    // 512 bytes, of 128 per cycle
}

TEST(KernelPass, loads_that_need_each_other_are_waited_for_one_by_one) {
    auto second = loads(Work::global_load, 1);
    second.waits_for = 1U << 0U;
    const std::vector<Instruction> chain{loads(Work::global_load, 0), second, waiting_for(1),
                                         back_over(3)};
    EXPECT_NEAR(kernel_pass(chain)->memory_waits, 2, 0.01);
}

TEST(KernelPass, a_load_for_the_next_pass_is_waited_for_there) {
    // The loop loads for the pass after it, and needs what the one before it has loaded.
    const std::vector<Instruction> ahead{waiting_for(0), loads(Work::global_load, 0), back_over(2)};
    EXPECT_NEAR(kernel_pass(ahead)->memory_waits, 1, 0.02);
}

TEST(KernelPass, shared_memory_and_special_functions_are_waited_for_in_cycles) {
    const std::vector<Instruction> shared{loads(Work::shared, 0), waiting_for(0), back_over(2)};
    EXPECT_EQ(kernel_pass(shared)->cycles, 30 + 2 + kLoopEnd);
    EXPECT_EQ(kernel_pass(shared)->memory_waits, 0);
    const std::vector<Instruction> roots{loads(Work::xu, 0), waiting_for(0), back_over(2)};
    EXPECT_EQ(kernel_pass(roots)->cycles, 18 + 2 + kLoopEnd);
    EXPECT_EQ((*kernel_pass(roots))[CodeUnit::xu_pipe], 8);
}

TEST(KernelPass, barriers_are_counted) {
    const std::vector<Instruction> code{does(Work::shared), does(Work::barrier),
                                        does(Work::barrier), back_over(3)};
    EXPECT_EQ(kernel_pass(code)->barriers, 2);
}

TEST(KernelPass, the_longest_of_the_inner_loops_counts) {
    std::vector<Instruction> code{does(Work::alu), does(Work::alu)};
    const auto first_of_outer = code.size();
    code.push_back(does(Work::alu));
    for (int i = 0; i < 8; ++i) {
        code.push_back(does(Work::fma));
    }
    code.push_back(back_over(8));  // inner, the longer one
    code.push_back(does(Work::xu));
    code.push_back(does(Work::xu));
    code.push_back(back_over(2));  // inner
    code.push_back(back_over(static_cast<std::int64_t>(code.size() - first_of_outer)));
    code.push_back(does(Work::issue_only));
    code.push_back(back_over(0));  // behind the end
    const auto pass = *kernel_pass(code);
    EXPECT_EQ(pass.instructions, 9);
    EXPECT_EQ(pass[CodeUnit::fma_pipe], 8);
    EXPECT_EQ(pass[CodeUnit::xu_pipe], 0);
}

TEST(KernelPass, a_loop_for_tensors_comes_before_longer_ones) {
    std::vector<Instruction> code{does(Work::tensor), does(Work::shared), back_over(2)};
    code.insert(code.end(), 8, does(Work::fma));
    code.push_back(back_over(8));
    const auto pass = *kernel_pass(code);
    EXPECT_EQ(pass.instructions, 3);
    EXPECT_EQ(pass[CodeUnit::tensor_pipe], 1);
}

TEST(KernelPass, a_kernel_without_a_loop_is_its_own_pass) {
    const std::vector<Instruction> code{loads(Work::global_load, 0), waiting_for(0),
                                        does(Work::global_store), does(Work::issue_only)};
    const auto pass = *kernel_pass(code);
    EXPECT_EQ(pass.instructions, 4);
    EXPECT_NEAR(pass.memory_waits, 1, 0.01);
    EXPECT_EQ(pass.global_bytes, 2 * 32 * 4);
}

TEST(KernelPass, nothing_makes_no_pass_and_a_branch_out_of_the_code_no_loop) {
    EXPECT_FALSE(kernel_pass({}));
    const std::vector<Instruction> code{does(Work::alu), back_over(100)};
    EXPECT_EQ(kernel_pass(code)->instructions, 2);
}

}  // namespace
}  // namespace overcast
