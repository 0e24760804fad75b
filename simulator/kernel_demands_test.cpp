#include "simulator/kernel_demands.hpp"

#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

/// Launches of one kernel that waits for loads, of a program that goes round 60 bytes.
Workload launches(std::initializer_list<Duration> durations) {
    Workload workload;
    workload.round = RoundMemory{Bytes{60}, Bytes{60}};
    Kernel kernel;
    kernel.shape.block.x = 32;
    kernel.code = KernelCode{};
    kernel.code->instructions = 10;
    kernel.code->cycles = 100;
    kernel.code->memory_waits = 1;
    workload.kernels.push_back(kernel);
    for (const auto duration : durations) {
        Operation operation;
        operation.action = KernelLaunch{KernelIndex{0}, Measured{duration, 1}};
        workload.operations.push_back(operation);
    }
    return workload;
}

/// Of 60 bytes loads take 200 ns in one half and 300 in both.
DeviceModel model() {
    auto made = test::round_model();
    made.device.core_clock_khz = 1'000'000;
    made.kernels.capacities.l2_latency_ns = 100;
    made.kernels.capacities.dram_latency = 1;
    made.kernels.l2_halves.ns_in_one = Curve{{{30, 100}, {60, 200}}};
    made.kernels.l2_halves.ns_in_both = Curve{{{30, 100}, {60, 300}}};
    made.kernels.l2_halves.both_by_sms = Curve{{{4, 0}, {6, 1}}};
    return made;
}

TEST(KernelDemands, level_launches_that_differ_by_what_they_found) {
    const auto demands = kernel_demands(launches({140us, 160us}), model(), {});
    ASSERT_EQ(demands.size(), 2U);  // and what fills the device
    ASSERT_TRUE(demands[0].round.mean);
    EXPECT_EQ(demands[0].round.mean->duration, 150us);
    EXPECT_EQ(demands[0].round.mean->amount, 1U);
}

TEST(KernelDemands, leave_launches_that_do_other_work) {
    // 300 + 100 ns for 200 + 100 explain a factor of 1.33, and a tenth.
    EXPECT_TRUE(kernel_demands(launches({100us, 146us}), model(), {})[0].round.mean);
    EXPECT_FALSE(kernel_demands(launches({100us, 147us}), model(), {})[0].round.mean);
}

TEST(KernelDemands, leave_launches_where_it_does_not_matter_what_they_find) {
    auto filled = launches({140us, 160us});
    filled.round.reset();
    EXPECT_FALSE(kernel_demands(filled, model(), {})[0].round.mean);
    Rules rules;
    rules.switch_off(Rule::l2_halves);
    EXPECT_FALSE(kernel_demands(launches({140us, 160us}), model(), rules)[0].round.mean);
}

/// Half of the DRAM while it runs, of code that goes there with every load.
Workload reading_kernel(bool counted) {
    auto workload = launches({100us});
    auto& kernel = workload.kernels[0];
    kernel.code->global_bytes = 128;
    if (counted) {
        kernel.counters = KernelCounters{};
        kernel.counters->values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 1;
        kernel.counters->values[static_cast<std::size_t>(KernelCounter::sm_active)] = 1;
        kernel.counters->values[static_cast<std::size_t>(KernelCounter::dram)] = 0.5;
    }
    workload.device_bytes = Bytes{1000};
    return workload;
}

TEST(KernelDemands, say_what_a_block_brings_into_the_l2) {
    auto device = model();
    device.device.memory_bandwidth_bytes_per_s = 4e12;
    device.kernels.capacities.l2_bytes_per_ns = 5000;
    const auto brought = [&](bool counted) {
        return kernel_demands(reading_kernel(counted), device, {})[0].brought_into_l2;
    };
    // One block on each of the two SMs: half of 4000 bytes per ns for both.
    EXPECT_NEAR(brought(true), 1000, 1);
    EXPECT_GT(brought(false), 0);
    device.kernels.l2_kept_bytes = 1000;  // all of the program's memory
    EXPECT_NEAR(brought(true), 1000, 1);  // counters say that it does not stay
    EXPECT_EQ(brought(false), 0);
}

}  // namespace
}  // namespace overcast
