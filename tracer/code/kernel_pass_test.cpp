#include "tracer/code/kernel_pass.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace overcast {
namespace {

constexpr double kLoopEnd = 10;  // cycles that a branch back costs

/// An instruction as it stands in memory, with the fields of instruction.hpp.
struct Words {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    Words& with(std::uint64_t value, unsigned first, unsigned count) {
        high = (high & ~(((std::uint64_t{1} << count) - 1) << first)) | value << first;
        return *this;
    }
};

std::uint64_t operation_for(Work work) {
    switch (work) {
        case Work::issue_only: return 0x918;    // NOP
        case Work::fma: return 0x223;           // FFMA
        case Work::integer_fma: return 0x224;   // IMAD
        case Work::alu: return 0x212;           // LOP3
        case Work::xu: return 0x308;            // MUFU
        case Work::fp64: return 0x22b;          // DFMA
        case Work::tensor: return 0x9f0;        // HGMMA
        case Work::shared: return 0x984;        // LDS
        case Work::global_load: return 0x981;   // LDG
        case Work::global_store: return 0x986;  // STG
        case Work::local: return 0x983;         // LDL
        case Work::barrier: return 0xb1d;       // BAR
    }
    return 0;
}

Words does(Work work, std::uint32_t stall = 1) {
    constexpr std::uint64_t kNone = 7;
    constexpr std::uint64_t kFourBytes = 4;
    Words words{operation_for(work), 0};
    return words.with(kFourBytes, 9, 3).with(stall, 41, 4).with(kNone, 46, 3).with(kNone, 49, 3);
}

Words loads(Work work, std::uint32_t scoreboard) { return does(work).with(scoreboard, 46, 3); }

Words waiting_for(std::uint32_t scoreboard, Words words = does(Work::fma)) {
    return words.with(std::uint64_t{1} << scoreboard, 52, 6);
}

/// Back over itself and `instructions` before it.
Words back_over(std::int64_t instructions) {
    const auto distance = static_cast<std::uint64_t>((-instructions - 1) * 4);  // in words
    auto words = does(Work::issue_only);
    words.low = 0x947 | (distance & 0xffU) << 16U | distance >> 8U << 34U;
    return words.with(distance >> 38U & 0x3ffffU, 0, 18);
}

/// Over the `instructions` behind it, for all warps or by a condition.
Words past(std::uint64_t instructions, bool conditional = true) {
    auto words = does(Work::issue_only);
    const std::uint64_t predicate = conditional ? 0x0 : 0x7;
    words.low = 0x947 | predicate << 12U | (instructions * 4 & 0xffU) << 16U |
                instructions * 4 >> 8U << 34U;
    return words.with(0, 0, 18);
}

Words ends() {
    auto words = does(Work::issue_only);
    words.low = 0x94d | std::uint64_t{0x7} << 12U;
    return words;
}

std::optional<KernelCode> pass_of(const std::vector<Words>& code) {
    return kernel_pass(MachineCode{std::as_bytes(std::span{code})});
}

TEST(KernelPass, a_chain_takes_the_stalls_of_its_instructions) {
    std::vector<Words> code(16, does(Work::fma, 4));
    code.push_back(back_over(16));
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass.instructions, 17);
    EXPECT_EQ(pass.cycles, 16 * 4 + 1 + kLoopEnd);
    EXPECT_EQ(pass.memory_waits, 0);
    EXPECT_EQ(pass[CodeUnit::fma_pipe], 16);
    EXPECT_EQ(pass[CodeUnit::alu_pipe], 0);
}

TEST(KernelPass, holds_the_units_that_counters_showed) {
    // A loop of 135 instructions whose counters (H200) showed the ALU held for 0.563 cycles per
    // instruction, 76 in all, and the FMA pipe for 0.711, 96: sums of three integers are the ALU's.
    const auto operation = [](std::uint64_t number) {
        auto words = does(Work::alu);
        words.low = number;
        return words;
    };
    std::vector<Words> code(96, does(Work::fma));
    code.insert(code.end(), 16, does(Work::alu));
    code.insert(code.end(), 21, operation(0x210));  // IADD3
    code.push_back(operation(0x20c));               // ISETP
    code.push_back(back_over(134));
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass.instructions, 135);
    EXPECT_EQ(pass[CodeUnit::alu_pipe], 76);
    EXPECT_EQ(pass[CodeUnit::fma_pipe], 96);
}

TEST(KernelPass, loads_on_their_way_together_are_waited_for_once) {
    constexpr std::uint64_t kSixteenBytes = 6;
    const std::vector<Words> together{loads(Work::global_load, 0).with(kSixteenBytes, 9, 3),
                                      loads(Work::global_load, 1).with(kSixteenBytes, 9, 3),
                                      waiting_for(0), waiting_for(1), back_over(4)};
    const auto pass = *pass_of(together);
    EXPECT_NEAR(pass.memory_waits, 1, 0.01);
    EXPECT_EQ(pass.global_bytes, 2 * 32 * 16);
    EXPECT_EQ(pass[CodeUnit::lsu_pipe], 2 * 4);  // a cycle each of what the SM has one of
    EXPECT_EQ(pass[CodeUnit::l1], 2 * 4 * 4);    // 512 bytes, of 128 per cycle
}

TEST(KernelPass, loads_that_need_each_other_are_waited_for_one_by_one) {
    const auto second = waiting_for(0, loads(Work::global_load, 1));
    const std::vector<Words> chain{loads(Work::global_load, 0), second, waiting_for(1),
                                   back_over(3)};
    EXPECT_NEAR(pass_of(chain)->memory_waits, 2, 0.01);
}

TEST(KernelPass, a_load_for_the_next_pass_is_waited_for_there) {
    // The loop loads for the pass after it, and needs what the one before it has loaded.
    const std::vector<Words> ahead{waiting_for(0), loads(Work::global_load, 0), back_over(2)};
    EXPECT_NEAR(pass_of(ahead)->memory_waits, 1, 0.02);
}

TEST(KernelPass, shared_memory_and_special_functions_are_waited_for_in_cycles) {
    const std::vector<Words> shared{loads(Work::shared, 0), waiting_for(0), back_over(2)};
    EXPECT_EQ(pass_of(shared)->cycles, 30 + 2 + kLoopEnd);
    EXPECT_EQ(pass_of(shared)->memory_waits, 0);
    const std::vector<Words> roots{loads(Work::xu, 0), waiting_for(0), back_over(2)};
    EXPECT_EQ(pass_of(roots)->cycles, 18 + 2 + kLoopEnd);
    EXPECT_EQ((*pass_of(roots))[CodeUnit::xu_pipe], 8);
}

TEST(KernelPass, barriers_are_counted) {
    const std::vector<Words> code{does(Work::shared), does(Work::barrier), does(Work::barrier),
                                  back_over(3)};
    EXPECT_EQ(pass_of(code)->barriers, 2);
}

TEST(KernelPass, half_of_the_warps_go_through_what_a_condition_skips) {
    std::vector<Words> code{past(4)};
    code.insert(code.end(), 4, does(Work::alu, 5));
    code.push_back(does(Work::fma));
    code.push_back(back_over(6));
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass.instructions, 1 + 4 * 0.5 + 2);
    EXPECT_EQ(pass.cycles, 1 + 20 * 0.5 + 2 + kLoopEnd);
    EXPECT_EQ(pass[CodeUnit::alu_pipe], 4 * 2 * 0.5);
    EXPECT_EQ(pass[CodeUnit::fma_pipe], 1);
}

TEST(KernelPass, of_two_branches_each_is_taken_by_half) {
    std::vector<Words> code{past(3),        does(Work::xu),  does(Work::xu),
                            past(1, false), does(Work::alu), back_over(5)};
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass[CodeUnit::xu_pipe], 2 * 8 * 0.5);
    EXPECT_EQ(pass[CodeUnit::alu_pipe], 2 * 0.5);
    EXPECT_EQ(pass.instructions, 1 + 3 * 0.5 + 0.5 + 1);
}

TEST(KernelPass, a_load_that_half_of_the_warps_make_is_waited_for_half_of_the_time) {
    const std::vector<Words> code{past(1), loads(Work::global_load, 0), waiting_for(0),
                                  back_over(3)};
    const auto pass = *pass_of(code);
    EXPECT_NEAR(pass.memory_waits, 0.5, 0.01);
    EXPECT_EQ(pass.global_bytes, 0.5 * 32 * 4);
}

TEST(KernelPass, a_block_waits_at_its_barrier_for_the_few_that_skip_nothing) {
    std::vector<Words> code{past(10)};
    code.insert(code.end(), 10, does(Work::alu, 4));
    code.push_back(does(Work::barrier));
    code.push_back(back_over(12));
    const auto pass = *pass_of(code);
    EXPECT_DOUBLE_EQ(pass.instructions, 1 + 10 * 0.2 + 2);
    EXPECT_EQ(pass.cycles, 1 + 40 + 2 + kLoopEnd);
}

TEST(KernelPass, no_instruction_for_tensors_is_lost_behind_branches) {
    // As in cuBLAS' kernels, where warps part at once: some load, some multiply.
    std::vector<Words> code{past(2), does(Work::shared), past(2, false),
                            past(1), does(Work::tensor), does(Work::barrier)};
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass[CodeUnit::tensor_pipe], 1);
    EXPECT_EQ(pass.instructions, 6);
}

TEST(KernelPass, a_kernel_ends_where_all_of_its_threads_do) {
    const std::uint64_t exits = 0x94d;
    const Words some{exits, does(Work::issue_only).high};
    const Words all{exits | 7U << 12U, does(Work::issue_only).high};
    const std::vector<Words> code{some, does(Work::alu), all, does(Work::issue_only),
                                  does(Work::issue_only)};
    EXPECT_EQ(pass_of(code)->instructions, 3);
}

TEST(KernelPass, the_longest_of_the_inner_loops_counts) {
    std::vector<Words> code{does(Work::alu), does(Work::alu)};
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
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass.instructions, 9);
    EXPECT_EQ(pass[CodeUnit::fma_pipe], 8);
    EXPECT_EQ(pass[CodeUnit::xu_pipe], 0);
}

TEST(KernelPass, a_loop_for_tensors_comes_before_longer_ones) {
    std::vector<Words> code{does(Work::tensor), does(Work::shared), back_over(2)};
    code.insert(code.end(), 8, does(Work::fma));
    code.push_back(back_over(8));
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass.instructions, 3);
    EXPECT_EQ(pass[CodeUnit::tensor_pipe], 1);
}

TEST(KernelPass, a_kernel_without_a_loop_is_its_own_pass) {
    const std::vector<Words> code{loads(Work::global_load, 0), waiting_for(0),
                                  does(Work::global_store), does(Work::issue_only)};
    const auto pass = *pass_of(code);
    EXPECT_EQ(pass.instructions, 4);
    EXPECT_NEAR(pass.memory_waits, 1, 0.01);
    EXPECT_EQ(pass.global_bytes, 2 * 32 * 4);
}

TEST(KernelPass, keeps_the_instructions_of_a_loop_as_a_scheduler_sees_them) {
    constexpr std::uint64_t kEightBytes = 5;
    constexpr std::uint64_t kSixteenBytes = 6;
    const std::vector<Words> code{
        does(Work::xu),  // before the loop
        loads(Work::global_load, 2).with(kSixteenBytes, 9, 3).with(1, 49, 3),
        waiting_for(2, does(Work::integer_fma, 4)),
        does(Work::fma, 5),
        does(Work::alu, 2),
        loads(Work::shared, 0).with(kEightBytes, 9, 3),
        waiting_for(0, loads(Work::xu, 5)),
        does(Work::fp64, 15),
        does(Work::global_store).with(0, 9, 3),
        back_over(8)};
    EXPECT_EQ(to_text(pass_of(code)->pass), "g1*4>2<1 h4&4 f5 a2 s1*2>0 x1>5&1 d15 g1 n1");
}

TEST(KernelPass, keeps_no_instructions_that_not_every_pass_executes) {
    const std::vector<Words> skips{past(1), does(Work::alu), does(Work::fma), back_over(3)};
    EXPECT_TRUE(pass_of(skips)->pass.empty());
    const std::vector<Words> leaves{past(10), does(Work::alu), back_over(2)};  // never, see above
    EXPECT_EQ(to_text(pass_of(leaves)->pass), "n1 a1 n1");
    const std::vector<Words> no_loop{does(Work::alu), does(Work::fma)};
    EXPECT_TRUE(pass_of(no_loop)->pass.empty());
}

TEST(KernelPass, keeps_no_instructions_of_loops_that_wait_for_more_than_scoreboards) {
    for (const auto work : {Work::barrier, Work::tensor, Work::local}) {
        const std::vector<Words> code{does(Work::fma), does(work), back_over(2)};
        EXPECT_TRUE(pass_of(code)->pass.empty());
    }
}

TEST(KernelPass, keeps_the_instructions_of_loops_up_to_a_length) {
    for (const auto length : {kLongestPass, kLongestPass + 1}) {
        std::vector<Words> code(length - 1, does(Work::fma));
        code.push_back(back_over(static_cast<std::int64_t>(length) - 1));
        const auto pass = *pass_of(code);
        EXPECT_EQ(pass.instructions, length);
        EXPECT_EQ(pass.pass.size(), length <= kLongestPass ? length : 0);
    }
}

TEST(KernelPass, keeps_what_all_do_who_come_to_the_loop_before) {
    const std::vector<Words> code{
        does(Work::alu, 4),
        past(2),  // some do
        does(Work::xu),
        does(Work::integer_fma, 2),
        past(4),  // nobody comes to the loop who goes past it
        does(Work::barrier, 5),
        does(Work::fma),
        does(Work::fma),
        back_over(2),
        does(Work::fp64),
    };
    EXPECT_EQ(to_text(pass_of(code)->start), "a4 n1 n1 n5");
    const std::vector<Words> at_once{does(Work::fma), does(Work::fma), back_over(2)};
    EXPECT_TRUE(pass_of(at_once)->start.empty());
    EXPECT_TRUE(pass_of(at_once)->end.empty()) << "it never ends";
}

TEST(KernelPass, keeps_what_all_do_from_the_loop_to_the_exit) {
    const std::vector<Words> code{
        does(Work::fma), does(Work::fma),    back_over(2), does(Work::alu), past(1),  // some do
        does(Work::xu),  does(Work::alu, 4), ends(),
        does(Work::fma),  // nobody comes here
    };
    EXPECT_EQ(to_text(pass_of(code)->end), "a1 n1 a4 n1");
}

TEST(KernelPass, nothing_makes_no_pass_and_a_branch_out_of_the_code_no_loop) {
    EXPECT_FALSE(pass_of({}));
    const std::vector<Words> code{does(Work::alu), back_over(100)};
    EXPECT_EQ(pass_of(code)->instructions, 2);
}

}  // namespace
}  // namespace overcast
