#include "model/code_demand.hpp"

#include "model/kernel_model.hpp"
#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace overcast {
namespace {

constexpr std::uint32_t kThreads = 128;  // one warp per scheduler
constexpr std::uint32_t kBlocks = 16;    // that an SM holds

double of(const UnitDemand& demand, SmUnit unit) {
    return demand.sm[static_cast<std::size_t>(unit)];
}
double of(const UnitDemand& demand, DeviceUnit unit) {
    return demand.device[static_cast<std::size_t>(unit)];
}

/// All of each unit can be reached; a load takes 100 cycles from the L2 and 300 from the DRAM.
DeviceModel model_of_code() {
    auto model = test::round_model();
    model.device.core_clock_khz = 1e6;
    model.device.multiprocessors = 2;
    model.device.memory_bandwidth_bytes_per_s = 1e12;  // 1,000 bytes per ns
    auto& capacities = model.kernels.capacities;
    capacities.sm.fill(1);
    capacities.device.fill(1);
    capacities.l2_latency_ns = 100;
    capacities.dram_latency = 3;
    capacities.l2_bytes_per_ns = 9'600;  // 100 requests of three sectors
    capacities.l2_sectors_per_request = 3;
    return model;
}

KernelCode code_of(double instructions, double cycles) {
    KernelCode code;
    code.instructions = instructions;
    code.cycles = cycles;
    return code;
}

TEST(CodeDemand, is_what_a_pass_holds_of_each_unit_over_the_time_of_a_pass) {
    auto code = code_of(100, 400);
    code[CodeUnit::alu_pipe] = 120;
    code[CodeUnit::xu_pipe] = 80;
    const auto one = *code_demand(code, kThreads, kBlocks, model_of_code());
    EXPECT_DOUBLE_EQ(of(one, SmUnit::issue_slots), 0.25);
    EXPECT_DOUBLE_EQ(of(one, SmUnit::alu_pipe), 0.3);
    EXPECT_DOUBLE_EQ(of(one, SmUnit::xu_pipe), 0.2);
    EXPECT_DOUBLE_EQ(of(one, SmUnit::l1), 0);
    EXPECT_DOUBLE_EQ(one.interval, 4);
    const auto four = *code_demand(code, 4 * kThreads, kBlocks, model_of_code());
    EXPECT_DOUBLE_EQ(of(four, SmUnit::alu_pipe), 1.2);  // more than one warp can have
}

TEST(CodeDemand, a_pass_takes_no_less_than_the_unit_that_it_holds_longest) {
    auto code = code_of(77, 191);
    code[CodeUnit::l1] = 256;
    const auto demand = *code_demand(code, kThreads, kBlocks, model_of_code());
    EXPECT_DOUBLE_EQ(of(demand, SmUnit::l1), 1);
    EXPECT_DOUBLE_EQ(demand.interval, 256.0 / 77);
}

TEST(CodeDemand, sms_end_one_after_the_other_whose_blocks_load) {
    auto code = code_of(20, 200);
    code.memory_waits = 2;
    code.global_bytes = 1'000;
    const auto sm_by_sm = [&](std::uint32_t threads) {
        KernelShape shape;
        shape.grid.x = 4;
        shape.block.x = threads;
        shape.registers_per_thread = 32;
        return kernel_demand(shape, model_of_code(), nullptr, &code).ends_sm_by_sm;
    };
    EXPECT_TRUE(sm_by_sm(1024));
    EXPECT_TRUE(sm_by_sm(64)) << "all 32 of them end together";
    code.memory_waits = 0;
    EXPECT_FALSE(sm_by_sm(1024));
}

TEST(CodeDemand, loads_are_waited_for_one_after_the_other) {
    auto code = code_of(20, 200);
    code.memory_waits = 2;
    code.global_bytes = 1'000;
    // One load in four takes 100 cycles, the others 300: two of 250, and 700 for a pass.
    const auto demand = *code_demand(code, kThreads, kBlocks, model_of_code());
    EXPECT_DOUBLE_EQ(demand.interval, 700.0 / 20);
    EXPECT_DOUBLE_EQ(demand.l2_waits, 2 * 100.0 / 700);
    EXPECT_DOUBLE_EQ(demand.l2_hit_rate, 0.25);
    // Four warps read 1,000 bytes each in 700 ns, three quarters of them from the DRAM.
    EXPECT_NEAR(of(demand, DeviceUnit::dram), 4'000.0 / 700 * 0.75 / 1'000, 1e-12);
    EXPECT_NEAR(of(demand, DeviceUnit::l2_requests), 4'000.0 / 700 / 128 / 100, 1e-12);
    EXPECT_NEAR(of(demand, DeviceUnit::l2_replies), 2 * 4'000.0 / 700 / 128 / 100, 1e-12);
}

TEST(CodeDemand, warps_of_a_block_come_to_a_barrier_one_after_the_other) {
    auto code = code_of(20, 140);
    code.barriers = 1;
    const auto one = *code_demand(code, kThreads, kBlocks, model_of_code());
    EXPECT_DOUBLE_EQ(of(one, SmUnit::issue_slots), 20.0 / 140);
    // Four warps per scheduler: 140 cycles and 60 for the others.
    const auto four = *code_demand(code, 4 * kThreads, kBlocks, model_of_code());
    EXPECT_DOUBLE_EQ(of(four, SmUnit::issue_slots), 4 * 20.0 / 200);
    EXPECT_DOUBLE_EQ(four.busy_between_barriers, 4 * 20.0 / 200);
    code.barriers = 0;
    EXPECT_EQ(code_demand(code, kThreads, kBlocks, model_of_code())->busy_between_barriers, 0);
}

TEST(CodeDemand, a_warp_that_keeps_a_pipe_busy_never_waits) {
    auto code = code_of(131, 146);
    code[CodeUnit::fma_pipe] = 129;
    EXPECT_TRUE(code_demand(code, kThreads, kBlocks, model_of_code())->always_ready);
    code[CodeUnit::fma_pipe] = 100;
    EXPECT_FALSE(code_demand(code, kThreads, kBlocks, model_of_code())->always_ready);
}

TEST(CodeDemand, products_ask_for_the_tensor_pipe_with_as_many_blocks_as_an_sm_holds) {
    auto code = code_of(100, 100);
    code[CodeUnit::tensor_pipe] = 8;
    const auto demand = *code_demand(code, kThreads, 2, model_of_code());
    EXPECT_DOUBLE_EQ(of(demand, SmUnit::tensor_pipe), 0.5);
    EXPECT_LT(of(demand, SmUnit::issue_slots), 0.5);
}

TEST(CodeDemand, tells_wide_loads_several_at_once) {
    auto code = code_of(40, 100);
    code.memory_waits = 1;
    code.global_bytes = 4 * 512;
    code[CodeUnit::lsu_pipe] = 16;
    EXPECT_TRUE(has_wide_loads(code));
    auto narrow = code;
    narrow.global_bytes /= 2;  // 8 bytes per thread
    EXPECT_FALSE(has_wide_loads(narrow));
    auto one_by_one = code;
    one_by_one.memory_waits = 4;
    EXPECT_FALSE(has_wide_loads(one_by_one));
    auto product = code;
    product[CodeUnit::tensor_pipe] = 100;
    EXPECT_FALSE(has_wide_loads(product));
    EXPECT_FALSE(has_wide_loads(code_of(40, 100)));
}

TEST(CodeDemand, is_not_known_where_loads_take_an_unknown_time) {
    auto model = model_of_code();
    model.device.core_clock_khz.reset();
    auto code = code_of(100, 400);
    EXPECT_TRUE(code_demand(code, kThreads, kBlocks, model));
    code.memory_waits = 1;
    EXPECT_FALSE(code_demand(code, kThreads, kBlocks, model));
}

TEST(CodeDemand, goes_behind_counters_and_before_the_warps_alone) {
    const auto model = model_of_code();
    KernelShape shape;
    shape.block.x = kThreads;
    auto code = code_of(100, 400);
    EXPECT_FALSE(kernel_demand(shape, model).counted);
    const auto from_code = kernel_demand(shape, model, nullptr, &code);
    EXPECT_TRUE(from_code.counted);
    EXPECT_DOUBLE_EQ(from_code.load_per_block, 0.25);
    KernelCounters counters;
    counters.values[static_cast<std::size_t>(KernelCounter::sm_active)] = 1;
    counters.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 4;
    counters.values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.5;
    EXPECT_DOUBLE_EQ(kernel_demand(shape, model, &counters, &code).load_per_block, 0.5);
}

/// What the code of kernels says (ptxas, CUDA 13.0, sm_90), and the cycles from one instruction of
/// a warp to its next that counters showed with one warp per scheduler (H200, 2026-11-25).
struct Seen {
    std::string kernel;
    double instructions, cycles, busiest, interval, tolerance;
};

class CodeDemandOnH200 : public ::testing::TestWithParam<Seen> {};

TEST_P(CodeDemandOnH200, knows_how_fast_a_warp_is_alone) {
    const auto& seen = GetParam();
    auto code = code_of(seen.instructions, seen.cycles);
    code[CodeUnit::l1] = seen.busiest;
    const auto demand = *code_demand(code, kThreads, kBlocks, model_of_code());
    EXPECT_NEAR(demand.interval / seen.interval, 1, seen.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    kernels, CodeDemandOnH200,
    ::testing::Values(Seen{"one_chain_of_multiply_adds", 67, 269, 0, 4.01, 0.01},
                      Seen{"four_chains_of_multiply_adds", 131, 146, 0, 1.12, 0.01},
                      Seen{"one_chain_of_integers", 99, 460, 0, 4.67, 0.01},
                      Seen{"two_chains_of_integers", 99, 174, 0, 1.74, 0.02},
                      Seen{"sines", 131, 859, 0, 6.37, 0.04},
                      Seen{"roots", 115, 704, 0, 5.97, 0.04},
                      Seen{"reads_of_words", 77, 214, 128, 2.73, 0.03},
                      Seen{"reads_of_16_bytes", 77, 191, 256, 3.74, 0.12}),
    [](const auto& each) { return each.param.kernel; });

TEST(CodeDemand, loads_that_waited_in_a_full_unit_are_no_faster_on_an_idle_device_than_a_load_is) {
    auto code = code_of(10, 40);
    code.memory_waits = 2;
    KernelCounters counters;
    counters.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 32;
    counters.values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.2;
    counters.values[static_cast<std::size_t>(KernelCounter::l2_hit_rate)] = 1;
    // An instruction of each warp every 40 cycles: 400 for a pass, of which 240 are not waited.
    const auto model = model_of_code();
    EXPECT_DOUBLE_EQ(most_speed_up(counters, code, model), 400.0 / 240);
    counters.values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.5;
    EXPECT_EQ(most_speed_up(counters, code, model), 1);
    code.memory_waits = 0;
    EXPECT_TRUE(std::isinf(most_speed_up(counters, code, model)));
}

TEST(CodeDemand, loads_at_once_wait_together_but_each_further_one_a_little_longer) {
    auto code = code_of(10, 40);
    code.memory_waits = 2;
    code[CodeUnit::lsu_pipe] = 6 * 4;
    EXPECT_DOUBLE_EQ(loads_at_once(code), 3);
    KernelCounters counters;
    counters.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 32;
    counters.values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.2;
    // Twice 100 cycles of a pass of 400.
    auto model = model_of_code();
    EXPECT_DOUBLE_EQ(most_l2_waits(counters, code, model), 0.5 * (1 + 2 * 0.11));
    model.kernels.capacities.queue_further_load = 0.5;
    EXPECT_DOUBLE_EQ(most_l2_waits(counters, code, model), 0.5 * (1 + 2 * 0.5));
    code[CodeUnit::lsu_pipe] = 0;
    EXPECT_DOUBLE_EQ(most_l2_waits(counters, code, model), 0.5);
    code.memory_waits = 0;
    EXPECT_EQ(loads_at_once(code), 0);
    EXPECT_EQ(most_l2_waits(counters, code, model), 0);
    code[CodeUnit::tensor_pipe] = 10;
    EXPECT_TRUE(std::isinf(most_l2_waits(counters, code, model)));
}

TEST(CodeDemand, requests_for_a_sector_each_that_fill_the_l2_are_all_that_are_on_their_way) {
    KernelCounters counters;
    const auto set = [&](KernelCounter counter, double value) {
        counters.values[static_cast<std::size_t>(counter)] = value;
    };
    set(KernelCounter::warps_per_sm, 32);
    set(KernelCounter::sm_active, 1);
    set(KernelCounter::l2_requests, 1);
    set(KernelCounter::l2, 0.25);  // sectors: one of three that a request could be for
    auto capacities = model_of_code().kernels.capacities;
    capacities.l2_longest_wait = 4;
    const auto asked = [&](double by_code) {
        const auto demand = *unit_demand(counters, 1024, 2, capacities, 0, {by_code});
        return 2 * of(demand, DeviceUnit::l2_requests);  // of two blocks, one on each SM
    };
    EXPECT_DOUBLE_EQ(asked(3), 3);
    EXPECT_DOUBLE_EQ(asked(8), 1 + 4);  // more find no room on their way
    EXPECT_DOUBLE_EQ(asked(std::numeric_limits<double>::infinity()), 1) << "its code is not known";
    set(KernelCounter::l2, 1);
    EXPECT_DOUBLE_EQ(asked(8), 8) << "whole lines";
}

}  // namespace
}  // namespace overcast
