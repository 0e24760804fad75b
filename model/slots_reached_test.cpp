#include "model/slots_reached.hpp"

#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

/// Counted for 100 us, a block on each of two SMs for 0.8 of it.
KernelCounters uses_slots(double share) {
    KernelCounters made;
    made.grid = Extent{2, 1, 1};
    made.values[static_cast<std::size_t>(KernelCounter::issue_slots)] = share;
    made.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 0.8;
    made.values[static_cast<std::size_t>(KernelCounter::duration_ns)] = 100e3;
    return made;
}

double reached(double share, Duration own) {
    auto model = test::round_model();
    model.device.multiprocessors = 2;
    model.kernels.capacities[SmUnit::issue_slots] = 0.95;
    return slots_reached(uses_slots(share), own, model);
}

TEST(SlotsReached, is_more_than_all_for_who_uses_more_of_them_than_others_can) {
    EXPECT_DOUBLE_EQ(reached(0.99, 100us), 0.99 / 0.95);
    EXPECT_DOUBLE_EQ(reached(0.5, 100us), 1);
}

TEST(SlotsReached, counts_no_time_that_a_kernel_takes_only_while_counters_are_read) {
    EXPECT_DOUBLE_EQ(reached(0.96, 98us), 0.96 * 80 / 78 / 0.95);
    EXPECT_DOUBLE_EQ(reached(0.96, 110us), 0.96 / 0.95) << "luck";
    EXPECT_DOUBLE_EQ(reached(0.96, 90us), 1 / 0.95) << "no more than all";
    EXPECT_DOUBLE_EQ(reached(0.96, 1us), 0.96 / 0.95) << "says nothing of how long SMs held blocks";
}

TEST(SlotsReached, is_of_the_sms_that_have_blocks) {
    auto model = test::round_model();
    model.device.multiprocessors = 4;
    model.kernels.capacities[SmUnit::issue_slots] = 0.95;
    // Blocks were there for 160 us of SMs that the kernel had for 100: no sooner than counted.
    EXPECT_DOUBLE_EQ(slots_reached(uses_slots(0.96), 98us, model), 0.96 * 160 / 158 / 0.95);
}

}  // namespace
}  // namespace overcast
