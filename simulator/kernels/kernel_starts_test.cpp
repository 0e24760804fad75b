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

/// Integers that fill the ALU of both SMs, and a chain of multiply-adds behind four of them.
Workload integers_and_a_chain(Duration integers, Duration chain) {
    using test::counters;
    test::WorkloadBuilder program{2};
    program.on(0).kernel(2, integers, 1024).on(1).kernel(2, chain, 128);
    auto workload = program.workload();
    for (auto& kernel : workload.kernels) {
        kernel.counters =
            counters({{KernelCounter::warps_per_sm, 32}, {KernelCounter::issue_slots, 0.1}});
    }
    workload.kernels[0].code = code_of("a4 a5 h5", 16);
    workload.kernels[1].code = code_of("f4", 64, "a4 a4 a4 a4");
    return workload;
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

}  // namespace
}  // namespace overcast
