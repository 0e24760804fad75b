#include "tracer/code/control_flow.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

Instruction work() { return {}; }

/// Over `instructions` (negative: back over the branch itself and some before it).
Instruction branch(std::int64_t instructions, bool conditional) {
    Instruction made;
    made.branch = instructions;
    made.conditional = conditional;
    return made;
}
Instruction past_to(std::int64_t instructions) { return branch(instructions, true); }
Instruction jump(std::int64_t instructions) { return branch(instructions, false); }

Instruction leave(bool conditional) {
    Instruction made;
    made.is_exit = true;
    made.conditional = conditional;
    return made;
}

using Code = std::vector<Instruction>;
using Shares = std::vector<double>;
constexpr FlowAssumptions kLoop{true, 0.75};
constexpr FlowAssumptions kKernel{false, 0.75};

TEST(ControlFlow, all_warps_come_by_what_no_branch_skips) {
    EXPECT_EQ(shares_of(Code{work(), work(), past_to(-3)}, kLoop), (Shares{1, 1, 1}));
    EXPECT_TRUE(shares_of(Code{}, kKernel).empty());
}

TEST(ControlFlow, what_conditions_skip_is_for_the_others) {
    const Code nested{past_to(3), work(), past_to(1), work(), work(), past_to(-6)};
    EXPECT_EQ(shares_of(nested, kLoop), (Shares{1, 0.25, 0.25, 0.0625, 1, 1}));
}

TEST(ControlFlow, one_of_two_branches_is_taken) {
    const Code either{past_to(2), work(), jump(1), work(), past_to(-5)};
    EXPECT_EQ(shares_of(either, kLoop), (Shares{1, 0.25, 0.25, 0.75, 1}));
}

TEST(ControlFlow, a_loop_is_left_at_its_end_alone) {
    const Code out_by_condition{past_to(100), work(), past_to(-3)};
    EXPECT_EQ(shares_of(out_by_condition, kLoop), (Shares{1, 1, 1}));
    const Code out_by_a_jump_that_is_skipped{past_to(1), jump(100), work(), past_to(-4)};
    EXPECT_EQ(shares_of(out_by_a_jump_that_is_skipped, kLoop), (Shares{1, 0, 1, 1}));
    const Code end_of_the_kernel{past_to(2), work(), leave(false), work(), past_to(-5)};
    EXPECT_EQ(shares_of(end_of_the_kernel, kLoop), (Shares{1, 0, 0, 1, 1}));
    const Code for_some_threads{leave(true), work(), past_to(-3)};
    EXPECT_EQ(shares_of(for_some_threads, kLoop), (Shares{1, 1, 1}));
}

TEST(ControlFlow, a_branch_back_begins_the_next_pass) {
    const Code next_pass{work(), past_to(-2), work(), past_to(-4)};
    EXPECT_EQ(shares_of(next_pass, kLoop), (Shares{1, 1, 0.25, 0.25}));
}

TEST(ControlFlow, a_kernel_may_end_anywhere) {
    const Code kernel{leave(true), past_to(2), work(), leave(false), work(), leave(false), work()};
    EXPECT_EQ(shares_of(kernel, kKernel), (Shares{1, 1, 0.25, 0.25, 0.75, 0.75, 0}));
}

}  // namespace
}  // namespace overcast
