// Kernels whose warps hold their schedulers, played with round numbers.
#include "simulator/simulator.hpp"
#include "tests/support/counted_kernels.hpp"
#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::ran;
using test::round_model;
using test::two_counted_kernels;

DeviceModel model_with_bursts() {
    auto model = round_model();
    model.kernels.capacities.burst = 1.5;
    return model;
}

std::optional<double>& counter(Workload& workload, std::size_t kernel, KernelCounter of) {
    return workload.kernels[kernel].counters->values[static_cast<std::size_t>(of)];
}

/// An older kernel that uses 0.4 of the issue slots, and a younger one that uses 0.9 of them, whose
/// warps stand back for others so long, where counters say it.
Workload beside_bursts(std::optional<double> stalled_by_other_warp) {
    auto workload =
        two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, 0.4);
    counter(workload, 1, KernelCounter::issue_slots) = 0.9;
    counter(workload, 1, KernelCounter::stalled_by_other_warp) = stalled_by_other_warp;
    return workload;
}

constexpr double kAlwaysReady = 8 / 0.9 - 1.05;  // alone, it would issue every 1.05 cycles

TEST(WarpWaits, a_warp_that_is_always_ready_holds_up_those_of_an_older_kernel) {
    const auto model = model_with_bursts();
    EXPECT_EQ(ran(simulate(beside_bursts(std::nullopt), model), 0), "0-100");
    const auto workload = beside_bursts(kAlwaysReady);
    EXPECT_GT(simulate(workload, model).entries[0].device_end.time_since_epoch(), 115ns);
    Rules rules;
    rules.switch_off(Rule::bursts);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-100");
}

TEST(WarpWaits, who_has_many_reads_of_shared_memory_in_its_queue_does_not_notice_it) {
    const auto model = model_with_bursts();
    auto workload = beside_bursts(kAlwaysReady);
    counter(workload, 0, KernelCounter::lsu_pipe) = 0.95;
    EXPECT_GT(simulate(workload, model).entries[0].device_end.time_since_epoch(), 115ns);
    counter(workload, 0, KernelCounter::stalled_by_memory_queue) = 14;  // of 20 warps around
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");
}

TEST(WarpWaits, who_needs_a_pipe_more_than_slots_holds_nobody_up) {
    const auto model = model_with_bursts();
    auto workload = beside_bursts(kAlwaysReady);
    counter(workload, 1, KernelCounter::alu_pipe) = 0.95;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");
}

TEST(WarpWaits, the_more_warps_are_always_ready_the_longer_the_older_wait_for_their_turn) {
    const auto model = model_with_bursts();
    const auto end = [&](std::uint32_t threads) {
        auto workload =
            two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, 0.4);
        auto& second = workload.kernels[1];
        second.shape.block.x = threads;
        auto& values = second.counters->values;
        values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = threads / 32.0;
        values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.9;
        values[static_cast<std::size_t>(KernelCounter::stalled_by_other_warp)] =
            threads / 128.0 / 0.9 - 1.05;
        return simulate(workload, model).entries[0].device_end;
    };
    EXPECT_GT(end(1024), end(256) + 10ns);
}

/// An older kernel that issues every four cycles with `slots` of the slots, and a younger one that
/// waits for memory and uses 0.1 of them, every second instruction right after the one before.
Workload beside_loads(double slots) {
    auto workload =
        two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, 0.1);
    counter(workload, 0, KernelCounter::issue_slots) = slots;
    counter(workload, 0, KernelCounter::stalled_by_other_warp) = 8 / slots - 4;
    counter(workload, 1, KernelCounter::stalled_by_dependency) = 2;
    return workload;
}

TEST(WarpWaits, warps_whose_load_has_come_hold_up_an_older_kernel_for_the_rest_of_their_run) {
    const auto model = model_with_bursts();
    // One more on the way in 0.1 of the cycles, of those that are left: 0.1 / 0.6 of 4 cycles.
    EXPECT_EQ(ran(simulate(beside_loads(0.4), model), 0), "0-104");
    Rules rules;
    rules.switch_off(Rule::greedy_runs);
    EXPECT_EQ(ran(simulate(beside_loads(0.4), model, rules), 0), "0-100");
}

TEST(WarpWaits, a_kernel_that_can_have_what_such_warps_leave_of_the_slots_takes_no_longer) {
    // Of 0.95 of the slots the older one leaves them 0.05. 0.05 / 0.1 of 4 cycles would be 112; it
    // takes 1 / 0.95.
    EXPECT_EQ(ran(simulate(beside_loads(0.9), model_with_bursts()), 0), "0-105");
}

/// Two kernels of one block on each SM: the first issues an instruction every four cycles, the
/// younger, of `warps` per scheduler, every 1.1 and waits only where its loop ends.
Workload beside_ready_warps(std::uint32_t warps) {
    auto workload =
        two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, 0.2);
    const auto set = [](Kernel& kernel, KernelCounter counter, double value) {
        kernel.counters->values[static_cast<std::size_t>(counter)] = value;
    };
    auto& older = workload.kernels[0];
    older.shape.block.x = 128;
    set(older, KernelCounter::warps_per_sm, 4);
    set(older, KernelCounter::issue_slots, 0.25);
    auto& younger = workload.kernels[1];
    younger.shape.block.x = warps * 128;
    const auto issued = std::min(1.0, warps / 1.1);
    set(younger, KernelCounter::warps_per_sm, warps * 4);
    set(younger, KernelCounter::issue_slots, issued);
    set(younger, KernelCounter::stalled_by_other_warp, warps / issued - 1.1);
    set(younger, KernelCounter::stalled_by_dependency, 0.06);
    set(younger, KernelCounter::stalled_by_branch, 0.04);
    return workload;
}

TEST(WarpWaits, beside_enough_warps_that_never_wait_nobody_gets_on_however_old) {
    const auto timeline = simulate(beside_ready_warps(2), round_model());
    EXPECT_EQ(ran(timeline, 1), "0-100");
    EXPECT_EQ(ran(timeline, 0), "0-200");  // alone 100, of which it has done nothing by then
    Rules rules;
    rules.switch_off(Rule::ready_warps);
    EXPECT_EQ(ran(simulate(beside_ready_warps(2), round_model(), rules), 0), "0-100");
}

TEST(WarpWaits, beside_one_such_warp_an_instruction_waits_for_the_end_of_its_loop) {
    auto model = round_model();
    model.kernels.loop_end_cycles = 4;
    const auto timeline = simulate(beside_ready_warps(1), model);
    EXPECT_EQ(ran(timeline, 1), "0-100");
    // 4 of 4 + 4 1.1 / 0.1 cycles: a twelfth of its work is done by 100.
    EXPECT_EQ(ran(timeline, 0), "0-192");
}

TEST(WarpWaits, beside_one_such_warp_what_follows_at_once_waits_together) {
    auto model = round_model();
    model.kernels.loop_end_cycles = 4;
    model.kernels.capacities.burst = 0.1;
    auto workload = beside_ready_warps(1);
    auto& values = workload.kernels[0].counters->values;
    // An instruction every 16 cycles; half of them wait for the one before.
    values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.0625;
    values[static_cast<std::size_t>(KernelCounter::stalled_by_dependency)] = 2;
    // 32 of 32 + 4 1.1 / 0.1 cycles: 0.42 of its work is done by 100.
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-158");
}

TEST(WarpWaits, a_kernel_whose_warps_wait_within_their_loop_gives_way_as_before) {
    auto workload = beside_ready_warps(2);
    auto& values = workload.kernels[1].counters->values;
    values[static_cast<std::size_t>(KernelCounter::stalled_by_dependency)] = 0.3;
    EXPECT_EQ(ran(simulate(workload, round_model()), 0), "0-100");
}

TEST(WarpWaits, beside_such_warps_older_arithmetic_that_could_fill_the_sm_gets_its_share) {
    // Four warps per scheduler, each with its next instruction ready every two cycles: twice
    // what the SM has.
    auto workload = beside_ready_warps(2);
    workload.kernels[0].shape.block.x = 512;
    counter(workload, 0, KernelCounter::warps_per_sm) = 16;
    counter(workload, 0, KernelCounter::issue_slots) = 1;
    counter(workload, 0, KernelCounter::stalled_by_other_warp) = 4 - 2;
    auto model = round_model();
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-200");
    model.kernels.older_beside_ready = 0.25;
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 1), "0-133");  // at 0.75
    EXPECT_EQ(ran(timeline, 0), "0-200");  // a third is done by then
}

TEST(WarpWaits, of_two_kernels_that_never_wait_the_older_gets_most) {
    auto workload = beside_ready_warps(4);
    workload.kernels[0] = workload.kernels[1];
    auto model = round_model();
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-98");
    model.kernels.first_of_ready = 0.8;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-123");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-197");
    workload = beside_ready_warps(1);  // on a scheduler, which finds no turn
    workload.kernels[0] = workload.kernels[1];
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");
}

TEST(WarpWaits, of_two_kernels_that_never_wait_the_older_gets_half_with_one_warp_per_scheduler) {
    const auto one = beside_ready_warps(1).kernels[1];
    auto workload = beside_ready_warps(4);
    workload.kernels[0] = one;
    auto model = round_model();
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    const auto all = ran(simulate(workload, model), 0);
    model.kernels.single_of_ready = 0.5;
    EXPECT_EQ(all, "0-100");
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-190");  // and 0.02 that are out of reach
}

TEST(WarpWaits, as_such_warps_are_done_those_that_load_get_a_run_each) {
    auto workload = beside_ready_warps(2);
    workload.kernels[0].counters = test::counters({{KernelCounter::warps_per_sm, 4},
                                                   {KernelCounter::issue_slots, 0.25},
                                                   {KernelCounter::lsu_pipe, 0.5},
                                                   {KernelCounter::l2_requests, 0.5}});
    auto model = round_model();
    model.kernels.capacities.l2_bytes_per_ns = 4'000;
    model.kernels.capacities.l2_latency_ns = 1'000;
    model.device.core_clock_khz = 1'000'000;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-200");
    auto& code = workload.kernels[0].code.emplace();
    code.instructions = 10;  // every four cycles
    code.memory_waits = 8;
    // Two warps of a scheduler are done in 100 ns, each lets in 5 cycles' work.
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-190");
}

}  // namespace
}  // namespace overcast
