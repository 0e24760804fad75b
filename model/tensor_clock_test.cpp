#include "model/tensor_clock.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

KernelParameters lower_clock() {
    KernelParameters made;
    made.beside_tensor = 1.1;
    made.load_beside_tensor = 1.05;
    made.capacities.dram_latency = 3;
    return made;
}

UnitDemand waits(double share_where_all_is_found, double found) {
    UnitDemand demand;
    demand.l2_waits = share_where_all_is_found;
    demand.l2_hit_rate = found;
    return demand;
}

TEST(TensorClock, is_lower_while_a_kernel_runs_that_has_such_instructions) {
    UnitDemand demand;
    EXPECT_FALSE(uses_tensor_cores(demand, 32));
    demand.sm[static_cast<std::size_t>(SmUnit::tensor_pipe)] = 0.002 / 8;  // counted without any
    EXPECT_FALSE(uses_tensor_cores(demand, 8));
    demand.sm[static_cast<std::size_t>(SmUnit::tensor_pipe)] = 0.00064;  // of gathers, as much by
    EXPECT_FALSE(uses_tensor_cores(demand, 16));                         // one block as by sixteen
    demand.sm[static_cast<std::size_t>(SmUnit::tensor_pipe)] = 0.1 / 32;
    EXPECT_TRUE(uses_tensor_cores(demand, 32));
}

TEST(TensorClock, slows_arithmetic_by_all_of_it_and_loads_by_their_way_to_the_l2) {
    EXPECT_DOUBLE_EQ(slow_down_beside_tensor(UnitDemand{}, lower_clock()), 1.1);
    EXPECT_DOUBLE_EQ(slow_down_beside_tensor(waits(1, 1), lower_clock()), 1.05);
    EXPECT_DOUBLE_EQ(slow_down_beside_tensor(waits(0.5, 1), lower_clock()), 1.075);
    EXPECT_DOUBLE_EQ(slow_down_beside_tensor(waits(2, 1), lower_clock()), 1.05) << "no longer";
    // Loads from the DRAM: a third of the time is a way to the L2.
    EXPECT_NEAR(slow_down_beside_tensor(waits(1.0 / 3, 0), lower_clock()), 1 + 0.05 / 3, 1e-12);
}

TEST(TensorClock, slows_nobody_whose_device_model_does_not_say_so) {
    EXPECT_EQ(slow_down_beside_tensor(waits(0.7, 0.5), KernelParameters{}), 1);
}

}  // namespace
}  // namespace overcast
