// Kernels side by side: what they share of the L2 and the DRAM, played with round numbers.
#include "simulator/simulator.hpp"
#include "tests/support/counted_kernels.hpp"
#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::ran;
using test::round_model;
using test::two_counted_kernels;
using test::WorkloadBuilder;

TEST(MemorySharing, what_an_sm_gets_from_the_l2_its_blocks_share_evenly) {
    auto model = round_model();
    model.kernels.capacities.l2_path = 1;
    const auto workload =
        two_counted_kernels(KernelCounter::l2_replies, KernelCounter::l2_replies, 0.8);
    Rules rules;
    // Of an SM's way to the L2, 1.6 of 1 is asked for; of the device's replies, hardly more than
    // half.
    model.kernels.capacities[DeviceUnit::l2_replies] = 2;
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-160");
    EXPECT_EQ(ran(simulate(workload, model, rules), 1), "0-160");
    rules.switch_off(Rule::l2_path);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-100");
}

/// A kernel that goes round and round 40 MB beside one that streams as much as the DRAM gives.
Workload data_beside_a_stream() {
    auto workload = two_counted_kernels(KernelCounter::l2_requests, KernelCounter::dram, 0.5);
    auto& values = workload.kernels[0].counters->values;
    values[static_cast<std::size_t>(KernelCounter::l2)] = 0.25;
    values[static_cast<std::size_t>(KernelCounter::duration_ns)] = 2e6;
    values[static_cast<std::size_t>(KernelCounter::memory_bytes)] = 40e6;
    return workload;
}

/// It looks up 4000 bytes per ns, and what it does not hold comes in twice the time.
DeviceModel model_of_an_l2_of_50_mb() {
    auto model = round_model();
    auto& kernels = model.kernels;
    kernels.l2_kept_bytes = 50e6;
    kernels.capacities.dram_latency = 2;
    kernels.capacities.l2_bytes_per_ns = 4'000;
    kernels.capacities.l2_latency_ns = 1'000;
    model.device.memory_bandwidth_bytes_per_s = 4e12;
    return model;
}

/// A kernel that keeps both SMs, and whose warps wait for loads, and one that waits for room.
Workload room_behind_loads() {
    constexpr Bytes kMostOfSm{220 * 1024};
    WorkloadBuilder program{2};
    program.on(0).kernel(2, 100ns, 256, kMostOfSm).on(1).kernel(1, 100ns, 256, kMostOfSm);
    auto workload = program.workload();
    workload.kernels[0].counters =
        test::counters({{KernelCounter::warps_per_sm, 8}, {KernelCounter::l2_requests, 0.5}});
    return workload;
}

TEST(MemorySharing, where_blocks_wait_for_memory_one_sm_is_free_before_the_other) {
    auto model = model_of_an_l2_of_50_mb();
    EXPECT_EQ(ran(simulate(room_behind_loads(), model), 1), "100-200");
    model.kernels.ends_apart = 0.5;
    EXPECT_EQ(ran(simulate(room_behind_loads(), model), 0), "0-100");
    EXPECT_EQ(ran(simulate(room_behind_loads(), model), 1), "75-175");
    Rules rules;
    rules.switch_off(Rule::pile_up);
    EXPECT_EQ(ran(simulate(room_behind_loads(), model, rules), 1), "100-200");
    auto calculates = room_behind_loads();
    calculates.kernels[0].counters =
        test::counters({{KernelCounter::warps_per_sm, 8}, {KernelCounter::fma_pipe, 0.5}});
    EXPECT_EQ(ran(simulate(calculates, model), 1), "100-200");
}

TEST(MemorySharing, sms_of_many_blocks_are_told_apart_where_few_wait) {
    auto model = model_of_an_l2_of_50_mb();
    model.kernels.ends_apart = 0.5;
    const auto behind_eight_on_each_sm = [&](std::uint32_t blocks) {
        WorkloadBuilder program{2};  // of the second kernel two find room on an SM
        program.on(0).kernel(16, 100ns, 256, Bytes{27 * 1024});
        program.on(1).kernel(blocks, 100ns, 256, Bytes{110 * 1024});
        auto workload = program.workload();
        workload.kernels[0].counters =
            test::counters({{KernelCounter::warps_per_sm, 64}, {KernelCounter::l2_requests, 0.5}});
        return ran(simulate(workload, model), 1);
    };
    EXPECT_EQ(behind_eight_on_each_sm(1), "75-175");
    EXPECT_EQ(behind_eight_on_each_sm(2), "75-175") << "on the first of them";
    EXPECT_EQ(behind_eight_on_each_sm(5), "100-200") << "more than find room";
}

TEST(MemorySharing, blocks_that_leave_when_sms_are_told_apart_are_gone) {
    auto model = model_of_an_l2_of_50_mb();
    model.kernels.ends_apart = 0.5;
    constexpr Bytes kHalfOfSm{110 * 1024};
    constexpr Bytes kMostOfSm{220 * 1024};
    WorkloadBuilder program{4};
    program.on(3).kernel(1, 20ns, 32);  // when it ends, all are waiting
    program.on(0).kernel(2, 100ns, 256, kHalfOfSm).on(1).kernel(3, 50ns, 256, kHalfOfSm);
    program.on(2).kernel(2, 100ns, 256, kMostOfSm);
    auto workload = program.workload();
    workload.kernels[1].counters =
        test::counters({{KernelCounter::warps_per_sm, 8}, {KernelCounter::l2_requests, 0.5}});
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 2), "0-100");
    EXPECT_EQ(ran(timeline, 3), "100-200");
}

TEST(MemorySharing, a_stream_pushes_out_of_the_l2_what_another_kernel_would_find_there) {
    auto model = model_of_an_l2_of_50_mb();
    model.kernels.l2_safe_ns = 1'000;
    // Used again after 40 us, while a stream of 2000 bytes per ns and what is brought in again use
    // up all room in 17: a twentieth is found, and the rest takes twice as long.
    const auto timeline = simulate(data_beside_a_stream(), model);
    EXPECT_EQ(ran(timeline, 1), "0-100");
    EXPECT_EQ(ran(timeline, 0), "0-148");  // once the stream has ended it is fast again
    Rules rules;
    rules.switch_off(Rule::l2_eviction);
    EXPECT_EQ(ran(simulate(data_beside_a_stream(), model, rules), 0), "0-100");
    auto small = data_beside_a_stream();
    small.kernels[0].counters->values[static_cast<std::size_t>(KernelCounter::memory_bytes)] = 1e6;
    EXPECT_EQ(ran(simulate(small, model), 0), "0-100");
}

TEST(MemorySharing, what_has_left_the_l2_comes_later_beside_writes) {
    auto model = model_of_an_l2_of_50_mb();
    model.kernels.capacities[DeviceUnit::dram] = 1;
    model.kernels.capacities.dram_latency_growth_by_writes = 2;
    const auto workload = data_beside_a_stream();  // no reply says that the stream reads
    // The stream writes with half of the DRAM: a load takes 2 + 2 * 2 / 2 latencies of the L2.
    Rules rules;
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-175");
    rules.switch_off(Rule::memory_latency);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-148");
}

TEST(MemorySharing, kernels_share_the_memory_of_the_device_from_whatever_sm) {
    // Each takes 0.76 of 0.95 alone: together 1.6 times what there is.
    const auto timeline = simulate(
        two_counted_kernels(KernelCounter::dram, KernelCounter::dram, 0.76), round_model());
    EXPECT_EQ(ran(timeline, 0), "0-160");
    EXPECT_EQ(ran(timeline, 1), "0-160");
}

/// Of the requests of a kernel next to nothing is looked up in the L2 or comes back.
void write_single_sectors(Kernel& kernel) {
    auto& values = kernel.counters->values;
    values[static_cast<std::size_t>(KernelCounter::l2)] = 0.1;
    values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0;
    values[static_cast<std::size_t>(KernelCounter::dram)] = 0.1;
}

TEST(MemorySharing, writes_of_single_sectors_are_slower_the_more_warps_have_rows_open) {
    auto workload =
        two_counted_kernels(KernelCounter::l2_requests, KernelCounter::l2_requests, 0.4);
    std::ranges::for_each(workload.kernels, write_single_sectors);
    auto model = round_model();
    auto& capacities = model.kernels.capacities;
    capacities[DeviceUnit::dram_writes] = 0.5;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-160");
    capacities.dram_writes_share = Curve{{{32, 1}, {64, 0.8}}};
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-200");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-200");
    capacities[DeviceUnit::dram_writes] = 0.9;  // enough for both, were it not for the open rows
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-111");
}

TEST(MemorySharing, a_kernel_that_writes_all_it_can_is_no_slower_beside_one_that_writes_nothing) {
    auto workload = two_counted_kernels(KernelCounter::l2_requests, KernelCounter::alu_pipe, 0.5);
    write_single_sectors(workload.kernels[0]);
    auto model = round_model();
    auto& capacities = model.kernels.capacities;
    capacities[DeviceUnit::dram_writes] = 0.5;
    capacities.dram_writes_share = Curve{{{32, 0.8}, {64, 0.7}}};
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");
}

TEST(MemorySharing, less_of_the_dram_can_be_reached_where_one_reads_and_the_other_writes) {
    auto workload = two_counted_kernels(KernelCounter::dram, KernelCounter::dram, 0.5);
    for (auto& kernel : workload.kernels) {  // all of it in whole lines
        auto& values = kernel.counters->values;
        values[static_cast<std::size_t>(KernelCounter::l2)] = 0.5;
        values[static_cast<std::size_t>(KernelCounter::l2_requests)] = 0.5;
        values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.5;
    }
    auto model = round_model();
    model.device.memory_bandwidth_bytes_per_s = 640e9;
    auto& capacities = model.kernels.capacities;
    capacities.device.fill(1);
    capacities.l2_bytes_per_ns = 640;
    capacities.l2_replies_per_request = 1;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");
    capacities.dram_by_written = Curve{{{0, 1}, {0.5, 0.8}, {1, 1}}};
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100") << "both read";
    workload.kernels[1].counters->values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-125");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-125");
}

TEST(MemorySharing, a_kernel_ends_late_behind_what_others_have_on_their_way) {
    using test::counters;
    test::WorkloadBuilder program{2};
    program.on(0).kernel(2, 400us, 1024).on(1).kernel(2, 100us, 128);
    auto workload = program.workload();
    auto& loads = workload.kernels[0];
    loads.counters =
        counters({{KernelCounter::warps_per_sm, 32}, {KernelCounter::issue_slots, 0.2}});
    KernelCode code;
    code.instructions = 10;
    code.cycles = 40;
    code.memory_waits = 2;
    loads.code = code;
    workload.kernels[1].counters =
        counters({{KernelCounter::warps_per_sm, 4}, {KernelCounter::issue_slots, 0.1}});
    auto model = round_model();
    model.device.core_clock_khz = 1'000'000;
    model.kernels.capacities.l2_latency_ns = 100;
    model.kernels.requests_outside_loop = 3;
    const auto ends = [&](std::size_t kernel, const Rules& rules = {}) {
        return simulate(workload, model, rules).entries[kernel].device_end;
    };
    Rules rules;
    rules.switch_off(Rule::late_ends);
    // A pass of 400 ns, 240 on an idle device: a request waits 100 * (400 / 240 - 1) beside it.
    EXPECT_EQ(ends(1) - ends(1, rules), 200ns);
    EXPECT_EQ(ends(0), ends(0, rules)) << "nobody is there any more";
}

/// Chains of loads, one for each warp, beside a stream that uses `share` of the DRAM.
Workload chains_beside_a_stream(double share) {
    auto workload = two_counted_kernels(KernelCounter::dram, KernelCounter::dram, share);
    for (auto& kernel : workload.kernels) {
        auto& values = kernel.counters->values;
        values[static_cast<std::size_t>(KernelCounter::l2_hit_rate)] = 0;
        values[static_cast<std::size_t>(KernelCounter::l2_requests)] = 0.5;
    }
    workload.kernels[0].counters->values[static_cast<std::size_t>(KernelCounter::dram)] = 0.005;
    return workload;
}

/// Two SMs with a warp each for each load that is on its way to them at the L2's full rate.
DeviceModel model_of_loads() {
    auto model = round_model();
    auto& capacities = model.kernels.capacities;
    capacities.l2_bytes_per_ns = 96;
    capacities.l2_latency_ns = 128;
    capacities[DeviceUnit::l2_requests] = 2;
    return model;
}

TEST(MemorySharing, loads_of_all_kernels_wait_as_long_for_the_memory_of_the_device) {
    // Of 1.6 that the streams ask for there is 1: chains that ask for next to nothing wait, too.
    WorkloadBuilder program{3};
    program.on(0).kernel(2, 100ns, 1024).on(1).kernel(2, 100ns, 512).on(2).kernel(2, 100ns, 512);
    auto workload = program.workload();
    const auto counted = chains_beside_a_stream(0.76);
    workload.kernels[0].counters = counted.kernels[0].counters;
    for (const std::size_t stream : {1U, 2U}) {
        auto counters = *counted.kernels[1].counters;
        counters.values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 16;
        workload.kernels[stream].counters = counters;
    }
    const auto timeline = simulate(workload, model_of_loads());
    EXPECT_EQ(ran(timeline, 1), "0-161");
    EXPECT_EQ(ran(timeline, 2), "0-161");
    EXPECT_EQ(ran(timeline, 0), "0-161");
}

TEST(MemorySharing, loads_take_longer_before_the_memory_of_the_device_is_full) {
    auto model = model_of_loads();
    model.kernels.capacities.dram_latency_growth = 0.5;
    const auto workload = chains_beside_a_stream(0.76);
    // With 0.8 of the DRAM used they take 1 + 0.5 0.8^4 times as long, the stream as alone; when
    // that has ended, 17 are left.
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-100");
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-117");
    Rules rules;
    rules.switch_off(Rule::memory_latency);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-100");
}

TEST(MemorySharing, each_warp_waits_for_its_own_turn_at_the_memory_of_the_device) {
    // The same work in blocks of half the warps takes half as much: 0.76 and 0.38 of 0.95.
    auto workload = two_counted_kernels(KernelCounter::dram, KernelCounter::dram, 0.76);
    workload.kernels[0].shape.block.x = 1024;
    workload.kernels[1].shape.block.x = 512;
    auto& values = workload.kernels[1].counters->values;
    values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 16;
    values[static_cast<std::size_t>(KernelCounter::dram)] = 0.38;
    const auto timeline = simulate(workload, round_model());
    EXPECT_EQ(ran(timeline, 0), "0-120");
    EXPECT_EQ(ran(timeline, 1), "0-120");
}

/// Kernels of two blocks that wait for loads for half of their time, each on a stream of its own,
/// of a program that goes round 60 bytes; they were recorded with loads of 200 ns.
Workload round_of_sixty_bytes(std::uint32_t streams) {
    WorkloadBuilder program{streams};
    for (std::uint32_t stream = 0; stream < streams; ++stream) {
        program.on(stream).kernel(2, 150us);
    }
    auto workload = program.workload();
    workload.round = RoundMemory{Bytes{60}, Bytes{60}};
    for (auto& kernel : workload.kernels) {
        kernel.code = KernelCode{};
        kernel.code->instructions = 10;
        kernel.code->cycles = 100;
        kernel.code->memory_waits = 1;
    }
    return workload;
}

DeviceModel model_of_halves() {
    auto model = round_model();
    model.device.multiprocessors = 16;
    model.device.core_clock_khz = 1'000'000;
    auto& kernels = model.kernels;
    kernels.capacities.l2_latency_ns = 100;
    kernels.capacities.dram_latency = 1;
    kernels.l2_halves.ns_in_one = Curve{{{30, 100}, {60, 200}}};
    kernels.l2_halves.ns_in_both = Curve{{{30, 100}, {60, 300}}};
    kernels.l2_halves.both_by_sms = Curve{{{4, 0}, {6, 1}}};
    return model;
}

TEST(MemorySharing, what_both_halves_of_the_chip_go_round_is_found_in_the_l2_less_often) {
    // Two kernels use four SMs of one half. Three use both: 100 + 300 ns for what took 100 + 200.
    const auto model = model_of_halves();
    EXPECT_EQ(ran(simulate(round_of_sixty_bytes(1), model), 0), "0-150000");
    EXPECT_EQ(ran(simulate(round_of_sixty_bytes(2), model), 1), "0-150000");
    EXPECT_EQ(ran(simulate(round_of_sixty_bytes(3), model), 0), "0-200000");
    EXPECT_EQ(ran(simulate(round_of_sixty_bytes(3), model), 2), "0-200000");
    Rules rules;
    rules.switch_off(Rule::l2_halves);
    EXPECT_EQ(ran(simulate(round_of_sixty_bytes(3), model, rules), 0), "0-150000");
}

TEST(MemorySharing, one_replica_after_the_other_goes_round_the_memory_of_all) {
    // Of 30 bytes each load took 100 ns, of 60 it takes 200: 300 for 200.
    auto workload = round_of_sixty_bytes(1);
    workload.round->recorded = Bytes{30};
    EXPECT_EQ(ran(simulate(workload, model_of_halves()), 0), "0-225000");
}

TEST(MemorySharing, launches_that_were_recorded_side_by_side_are_as_long_as_recorded) {
    auto workload = round_of_sixty_bytes(3);
    workload.contended = true;
    EXPECT_EQ(ran(simulate(workload, model_of_halves()), 2), "0-150000");
}

TEST(MemorySharing, memory_that_is_filled_by_copies_is_not_gone_round) {
    auto workload = round_of_sixty_bytes(3);
    workload.round.reset();
    EXPECT_EQ(ran(simulate(workload, model_of_halves()), 0), "0-150000");
}

}  // namespace
}  // namespace overcast
