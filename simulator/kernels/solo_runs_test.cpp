#include "simulator/kernels/solo_runs.hpp"

#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using test::round_model;

SoloRun solo(std::uint64_t blocks, const DeviceModel& model, const Rules& rules = {}) {
    KernelShape shape;
    shape.grid.x = 1;
    shape.block.x = 1024;  // two on an SM
    shape.registers_per_thread = 16;
    const std::vector demands{kernel_demand(shape, model)};
    return SoloRuns{model, demands, rules}.of(0, blocks);
}

TEST(SoloRuns, of_blocks_that_do_not_slow_each_other_are_whole_waves) {
    const auto model = round_model();  // 2 SMs, 4 places
    EXPECT_DOUBLE_EQ(solo(9, model).length, 3);
    EXPECT_DOUBLE_EQ(solo(9, model).active, 2.5);  // the last block leaves an SM empty
    EXPECT_DOUBLE_EQ(solo(9, model).placed, 2);
    EXPECT_DOUBLE_EQ(solo(4, model).placed, 0);
    EXPECT_DOUBLE_EQ(solo(4'000'000, model).length, 1'000'000);
}

TEST(SoloRuns, of_blocks_that_slow_each_other_last_as_long_as_the_fullest_sm_works) {
    auto model = round_model();
    model.kernels.saturating_warps = 16;  // each asks for two SMs' worth
    EXPECT_DOUBLE_EQ(solo(1, model).length, 2);
    // Two on one SM, one on the other, which is done in half of the time.
    EXPECT_NEAR(solo(3, model).length, 4, 1e-3);
    EXPECT_NEAR(solo(3, model).active, 3, 1e-3);
    EXPECT_NEAR(solo(4'000'000, model).length / 4'000'000, 1, 1e-3);
}

TEST(SoloRuns, last_longer_where_the_youngest_block_is_left_alone) {
    auto model = round_model();
    model.kernels.saturating_warps = 32 / 0.75;  // two blocks ask for 1.5 of their SM
    // The older is done after 1; the younger has had a third of what it asks for, and needs 2/3.
    EXPECT_NEAR(solo(2 * 2, model).length, 1 + 2.0 / 3, 1e-3);
    Rules rules;
    rules.switch_off(Rule::staggered_ends);
    EXPECT_NEAR(solo(2 * 2, model, rules).length, 1.5, 1e-3);
}

}  // namespace
}  // namespace overcast
