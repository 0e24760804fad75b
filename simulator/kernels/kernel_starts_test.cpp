// Blocks that older ones keep from their loops, played to their end.
#include "simulator/simulator.hpp"
#include "tests/support/counted_kernels.hpp"
#include "tests/support/kernel_passes.hpp"
#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::code_of;

/// Integers that fill the ALU of both SMs, and behind them a kernel of that code.
Workload integers_and(Duration integers, Duration younger, const KernelCode& code,
                      std::uint32_t blocks = 2) {
    using test::counters;
    test::WorkloadBuilder program{2};
    program.on(0).kernel(2, integers, 1024).on(1).kernel(blocks, younger, 128);
    auto workload = program.workload();
    for (auto& kernel : workload.kernels) {
        kernel.counters =
            counters({{KernelCounter::warps_per_sm, 32}, {KernelCounter::issue_slots, 0.1}});
    }
    workload.kernels[0].code = code_of("a4 a5 h5", 16);
    workload.kernels[1].code = code;
    return workload;
}

/// A chain of multiply-adds behind four integers.
Workload integers_and_a_chain(Duration integers, Duration chain) {
    return integers_and(integers, chain, code_of("f4", 64, "a4 a4 a4 a4"));
}

/// us
double took(const Timeline& timeline, std::size_t kernel) {
    const auto& entry = timeline.entries[kernel];
    return static_cast<double>((entry.device_end - entry.device_start).count()) / 1e3;
}

DeviceModel model_with_schedulers() {
    auto model = test::round_model();
    model.kernels.scheduler = test::schedulers_of_h200();
    model.device.core_clock_khz = 2'000'000;
    return model;
}

constexpr double kFourWaits = 4 * 32.768 / 2;  // us, at that clock

Timeline play(Duration integers, Duration chain, const Rules& rules = {}) {
    return simulate(integers_and_a_chain(integers, chain), model_with_schedulers(), rules);
}

TEST(KernelStarts, a_block_that_finds_no_pipe_comes_to_its_loop_late) {
    Rules rules;
    rules.switch_off(Rule::starts);
    const auto at_once = took(play(2ms, 1ms, rules), 1);
    const auto late = took(play(2ms, 1ms), 1) - at_once;
    EXPECT_NEAR(late, kFourWaits, 0.3 * kFourWaits) << "the first may find something";
}

TEST(KernelStarts, it_goes_on_at_once_when_the_others_end) {
    const auto timeline = play(8us, 1ms);
    ASSERT_LT(took(timeline, 0), kFourWaits);
    EXPECT_NEAR(took(timeline, 1) - took(timeline, 0), 1'000, 5);
}

/// Whole waves are skipped, but not at the speed of blocks that are still before their loop.
TEST(KernelStarts, the_waves_of_a_kernel_that_is_alone_again_take_their_time) {
    const auto chains = code_of("f4", 64, "a4 a4 a4 a4");
    const auto timeline = simulate(integers_and(8us, 1ms, chains, 2'000), model_with_schedulers());
    ASSERT_LT(took(timeline, 0), kFourWaits);
    EXPECT_NEAR(took(timeline, 1) - took(timeline, 0), 1'000, 10);
}

TEST(KernelStarts, what_is_behind_the_loop_waits_for_a_pipe_too) {
    const auto ends_at_once = integers_and(4ms, 1ms, code_of("f4", 64));
    const auto ends_late = integers_and(4ms, 1ms, code_of("f4", 64, "n1", "a4 a4 a4 a4"));
    const auto model = model_with_schedulers();
    const auto late = took(simulate(ends_late, model), 1) - took(simulate(ends_at_once, model), 1);
    EXPECT_NEAR(late, kFourWaits, 0.3 * kFourWaits);
    Rules rules;
    rules.switch_off(Rule::starts);
    EXPECT_EQ(took(simulate(ends_late, model, rules), 1),
              took(simulate(ends_at_once, model, rules), 1));
}

/// As the first warps of a block are done they leave some of the pipe, and those that never wait
/// take what is left.
TEST(KernelStarts, warps_that_never_wait_come_in_before_the_last_ones_end) {
    auto workload = integers_and(50us, 1ms, code_of("f1", 128, "a4 a4 a4 a4"));
    workload.kernels[1].shape.block.x = 512;
    workload.kernels[1].counters = test::counters({{KernelCounter::warps_per_sm, 16},
                                                   {KernelCounter::issue_slots, 1},
                                                   {KernelCounter::stalled_by_other_warp, 2.9},
                                                   {KernelCounter::stalled_by_dependency, 0.06},
                                                   {KernelCounter::stalled_by_branch, 0.05}});
    auto model = model_with_schedulers();
    EXPECT_NEAR(took(simulate(workload, model), 0), 50, 1);
    model.kernels.let_in_before_end = 0.05;
    EXPECT_GT(took(simulate(workload, model), 0), 55);
}

}  // namespace
}  // namespace overcast
