// Kernels side by side: what they share of an SM and of the device, played with round numbers.
#include "simulator/simulator.hpp"
#include "tests/support/counted_kernels.hpp"
#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::ran;
using test::round_model;
using test::two_counted_kernels;
using test::WorkloadBuilder;

TEST(KernelSharing, kernels_that_need_different_units_of_an_sm_run_side_by_side_as_if_alone) {
    auto model = round_model();
    model.kernels.saturating_warps = 32;  // by their warps alone they would share
    const auto timeline =
        simulate(two_counted_kernels(KernelCounter::fma_pipe, KernelCounter::xu_pipe, 0.95), model);
    EXPECT_EQ(ran(timeline, 0), "0-100");
    EXPECT_EQ(ran(timeline, 1), "0-100");
}

TEST(KernelSharing, of_a_pipe_the_older_kernel_takes_what_it_needs_and_the_later_what_is_left) {
    const auto timeline = [](double share) {
        return simulate(two_counted_kernels(KernelCounter::xu_pipe, KernelCounter::xu_pipe, share),
                        round_model());
    };
    const auto all = timeline(0.95);  // of 0.95 that can be reached
    EXPECT_EQ(ran(all, 0), "0-100");
    EXPECT_EQ(ran(all, 1), "0-200");
    // 0.8 of it: the later runs at 0.2 / 0.8 until 100, where 75 are left.
    const auto most = timeline(0.76);
    EXPECT_EQ(ran(most, 0), "0-100");
    EXPECT_EQ(ran(most, 1), "0-175");
}

TEST(KernelSharing, a_later_kernel_waits_for_the_slots_that_the_older_leaves) {
    // An instruction per warp every 16 cycles: half of all slots, so that each of the later
    // kernel's waits for one cycle. It runs at 16 / 17 beside the older, which does not notice.
    const auto workload =
        two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, 0.5);
    auto model = round_model();
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-106");
    Rules rules;
    rules.switch_off(Rule::slot_waits);
    EXPECT_EQ(ran(simulate(workload, model, rules), 1), "0-100");
}

TEST(KernelSharing, who_fills_all_slots_leaves_none_to_those_that_need_few) {
    auto model = round_model();
    Rules rules;
    rules.switch_off(Rule::slot_waits);
    const auto end_beside = [&](double share) {
        auto workload =
            two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, share);
        workload.kernels[1].counters->values[static_cast<std::size_t>(KernelCounter::issue_slots)] =
            0.04;
        return ran(simulate(workload, model, rules), 1);
    };
    EXPECT_EQ(end_beside(0.95), "0-100");  // of the rest of 0.05
    EXPECT_EQ(end_beside(1), "0-200");     // of which this one leaves nothing
}

/// Two kernels that each use so much of the issue slots, whose warps wait at barriers.
Workload two_that_meet_at_barriers(double share) {
    auto workload =
        two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots, share);
    for (auto& kernel : workload.kernels) {
        kernel.counters->values[static_cast<std::size_t>(KernelCounter::stalled_by_barrier)] = 16;
    }
    return workload;
}

DeviceModel model_with_all_slots() {
    auto model = round_model();
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    return model;
}

TEST(KernelSharing, blocks_that_meet_at_barriers_are_late_for_every_other_one_there) {
    // Each keeps a quarter of the slots busy: 25 / 12 of 1 / 4 of 1 / 4 longer, the older one, too.
    const auto workload = two_that_meet_at_barriers(0.25);
    const auto model = model_with_all_slots();
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-113");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-113");
    Rules rules;
    rules.switch_off(Rule::barriers);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-100");
}

TEST(KernelSharing, what_blocks_leave_while_they_meet_at_barriers_is_for_younger_ones) {
    // Together they ask for 1.6 times all slots. The older one, too, takes 1.8 times as long, and
    // leaves more than half of the slots: enough for the younger one to take no longer.
    const auto workload = two_that_meet_at_barriers(0.8);
    const auto model = model_with_all_slots();
    Rules rules;
    rules.switch_off(Rule::slot_waits);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-180");
    EXPECT_EQ(ran(simulate(workload, model, rules), 1), "0-180");
}

/// Of four blocks on an SM two find room in the queue to global memory, which send a request per
/// two ns; beside them one that waits for the L2 all the time.
Workload loads_beside_a_full_queue() {
    WorkloadBuilder program{2};
    program.on(0).kernel(8, 100us, 256).on(1).kernel(2, 100us);
    auto workload = program.workload();
    const auto both =
        two_counted_kernels(KernelCounter::l2_requests, KernelCounter::l2_requests, 0.25);
    for (std::size_t i = 0; i < 2; ++i) {
        workload.kernels[i].counters = both.kernels[i].counters;
    }
    auto& values = workload.kernels[0].counters->values;
    values[static_cast<std::size_t>(KernelCounter::issue_slots)] = 0.1;
    values[static_cast<std::size_t>(KernelCounter::stalled_by_global_queue)] = 40;  // of 80 warps
    values[static_cast<std::size_t>(KernelCounter::l2)] = 0.1;  // a sector of each line
    values[static_cast<std::size_t>(KernelCounter::lsu_pipe)] = 0.5;
    workload.kernels[1].counters->values[static_cast<std::size_t>(KernelCounter::issue_slots)] =
        0.001;
    return workload;
}

TEST(KernelSharing, a_load_comes_behind_all_that_fills_the_queue_to_memory) {
    auto model = round_model();
    model.kernels.capacities.l2_bytes_per_ns = 2 * 2 * 3 * 32;  // 2 requests per ns and SM
    model.kernels.capacities.l2_latency_ns = 1'024;
    model.kernels.capacities.queue_instructions = 1'024;  // half of them before a load
    model.device.core_clock_khz = 1'000'000;
    // 2,048 lines of the L1, half a request per ns: 4,096 ns, four latencies. As many instructions
    // per ns: one more. Three blocks have as much on their way, two four latencies, one two: it
    // does not fill the queue. The third one ends after 0.871 of the time. Who is younger than all
    // of it waits 2.18 times as long: (1 - 1 / e^k) / k e^k with k = 4 (0.5 - 0.15).
    const auto workload = loads_beside_a_full_queue();
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100001");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-186385");
    Rules rules;
    rules.switch_off(Rule::memory_queue);
    EXPECT_EQ(ran(simulate(workload, model, rules), 1), "0-100001");
}

TEST(KernelSharing, blocks_behind_a_full_queue_end_one_after_the_other) {
    // Who needs half of an SM's threads starts when half of the eight blocks there are done: after
    // 0.688 of the time, where half of the warps wait for the queue.
    auto workload = loads_beside_a_full_queue();
    workload.kernels[0].shape.grid.x = 16;  // all threads of both SMs
    workload.operations[0].action = KernelLaunch{KernelIndex{0}, Measured{100us, 16}};
    auto& values = workload.kernels[0].counters->values;
    values[static_cast<std::size_t>(KernelCounter::warps_per_sm)] = 64;
    values[static_cast<std::size_t>(KernelCounter::stalled_by_global_queue)] = 80;  // of 160
    EXPECT_EQ(ran(simulate(workload, round_model()), 1).substr(0, 3), "688");
    Rules rules;
    rules.switch_off(Rule::memory_queue);
    EXPECT_EQ(ran(simulate(workload, round_model(), rules), 1).substr(0, 7), "100000-");
}

TEST(KernelSharing, whose_older_kernels_end_waits_no_longer) {
    WorkloadBuilder program{3};
    program.on(0).kernel(2, 500ns).on(1).kernel(2, 1000ns).on(2).kernel(2, 1000ns);
    auto workload = program.workload();
    const auto both = two_counted_kernels(KernelCounter::issue_slots, KernelCounter::issue_slots,
                                          0.5);  // an instruction per warp every 16 cycles
    for (auto& kernel : workload.kernels) {
        kernel.counters = both.kernels[0].counters;
    }
    auto model = round_model();
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 0), "0-500");
    EXPECT_EQ(ran(timeline, 1), "0-1029");    // 500 at 16 / 17, then as if alone
    EXPECT_EQ(ran(timeline, 2), "500-1531");  // when it finds room; 529 at 16 / 17
}

TEST(KernelSharing, who_is_left_with_the_device_is_as_fast_as_alone_beside_copies_too) {
    WorkloadBuilder program{3};
    program.on(0).kernel(2, 100ns).on(1).kernel(2, 200ns).on(2).h2d(Bytes{1000});
    auto workload = program.workload();
    const auto both = two_counted_kernels(KernelCounter::dram, KernelCounter::dram, 0.8);
    for (auto& kernel : workload.kernels) {
        kernel.counters = both.kernels[0].counters;
    }
    auto model = round_model();
    model.kernels.capacities[DeviceUnit::dram] = 1;
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 2), "0-1000");
    EXPECT_EQ(ran(timeline, 0), "0-160");  // of 1.6 of the DRAM one is there
    EXPECT_EQ(ran(timeline, 1), "0-260");
}

TEST(KernelSharing, who_uses_no_tensor_cores_is_slower_while_they_work) {
    auto model = round_model();
    model.kernels.beside_tensor = 1.25;
    auto workload = two_counted_kernels(KernelCounter::tensor_pipe, KernelCounter::fma_pipe, 0.4);
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 0), "0-100");  // was recorded at the lower clock
    EXPECT_EQ(ran(timeline, 1), "0-120");  // 80 by 100, and the rest at the higher one
    Rules rules;
    rules.switch_off(Rule::tensor_clock);
    EXPECT_EQ(ran(simulate(workload, model, rules), 1), "0-100");
    workload.kernels[1].counters = workload.kernels[0].counters;
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-100");
}

TEST(KernelSharing, without_counters_unlike_kernels_may_need_different_units) {
    auto model = round_model();
    model.kernels.saturating_warps = 32;
    model.kernels.capacities[SmUnit::issue_slots] = 1;
    model.kernels.unlike_contention = 0.75;
    WorkloadBuilder program{2};  // two kernels of different shape, each with all that an SM has
    program.on(0).kernel(2, 100ns, 1024).on(1).kernel(4, 100ns, 512);
    auto unlike = program.workload();
    unlike.kernels[1].name = unlike.names.intern("another");
    EXPECT_EQ(ran(simulate(unlike, model), 0), "0-100");
    // Two blocks of 512 run alone at 1 and 0; a quarter of the slots is found free until 100.
    const auto later = simulate(unlike, model).entries[1].device_end.time_since_epoch();
    model.kernels.unlike_contention = 1;
    const auto strict = simulate(unlike, model).entries[1].device_end.time_since_epoch();
    EXPECT_EQ(strict - later, 25ns);
    model.kernels.unlike_contention = 0.75;
    unlike.kernels[1].name = unlike.kernels[0].name;
    EXPECT_EQ(simulate(unlike, model).entries[1].device_end.time_since_epoch(), strict);
}

/// A kernel whose blocks leave no room on their SMs for `time`, and behind it two blocks of 256
/// threads that take 50 ns alone on an SM and twice as long if they share one.
Workload two_blocks_behind(std::uint32_t blocks, Duration time, Bytes shared_memory) {
    WorkloadBuilder program{2};
    program.on(0).kernel(blocks, time, 1024, shared_memory).on(1).kernel(2, 50ns, 256);
    return program.workload();
}

TEST(KernelSharing, who_waits_for_room_fills_the_first_sm_that_becomes_free) {
    auto model = round_model();
    model.kernels.saturating_warps = 8;
    const auto workload = two_blocks_behind(2, 100ns, Bytes{220 * 1024});
    auto filled = workload;
    filled.kernels[1].shape.dynamic_shared_memory = Bytes{32 * 1024};
    EXPECT_EQ(ran(simulate(filled, model), 1), "100-200");  // both on one SM
    Rules rules;
    rules.switch_off(Rule::pile_up);
    EXPECT_EQ(ran(simulate(filled, model, rules), 1), "100-150");
}

TEST(KernelSharing, blocks_that_hold_each_other_up_make_room_on_all_sms_in_turn) {
    auto model = round_model();
    model.kernels.saturating_warps = 32;
    auto workload = two_blocks_behind(4, 200ns, {});  // two on each SM, one after the other
    workload.kernels[1].shape.block.x = 1024;
    workload.kernels[1].shape.registers_per_thread = 32;
    // One on each, where the older ones leave nothing until they end.
    EXPECT_EQ(ran(simulate(workload, model), 1), "100-250");
}

TEST(KernelSharing, an_sm_serves_its_oldest_block_first_and_gives_its_room_away) {
    auto model = round_model();
    model.kernels.saturating_warps = 32;
    const auto workload = two_blocks_behind(4, 200ns, {});  // two on each SM, one after the other
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-200");
    EXPECT_EQ(ran(simulate(workload, model), 1).substr(0, 4), "100-");
    Rules rules;
    rules.switch_off(Rule::staggered_ends);
    EXPECT_EQ(ran(simulate(workload, model, rules), 1).substr(0, 4), "200-");
}

TEST(KernelSharing, the_blocks_of_a_cluster_wait_until_all_of_them_find_room) {
    auto model = round_model();
    model.kernels.cluster_multiprocessors = Curve{{{4, 2}}};
    WorkloadBuilder program{2};
    program.on(0).kernel(1, 100ns).on(1).kernel(4, 50ns);  // an SM holds two blocks of either
    auto workload = program.workload();
    workload.kernels[1].shape.cluster.x = 4;
    EXPECT_EQ(ran(simulate(workload, model), 1).substr(0, 4), "100-");
    Rules rules;
    rules.switch_off(Rule::clusters);
    EXPECT_EQ(ran(simulate(workload, model, rules), 1).substr(0, 2), "0-");
    workload.kernels[1].shape.cluster.x = 2;  // three of four find room, and so does a pair
    EXPECT_EQ(ran(simulate(workload, model), 1).substr(0, 2), "0-");
    model.kernels.cluster_multiprocessors = {};
    workload.kernels[1].shape.cluster.x = 4;
    EXPECT_EQ(ran(simulate(workload, model), 1).substr(0, 2), "0-");
}

TEST(KernelSharing, a_cluster_takes_no_sm_by_itself_behind_a_kernel_that_does) {
    auto model = round_model();
    model.kernels.cluster_multiprocessors = Curve{{{4, 2}}};
    // The first fills both SMs; at its end the second takes half of one.
    WorkloadBuilder program{3};
    program.on(0).kernel(4, 100ns).on(1).kernel(1, 50ns).on(2).kernel(4, 50ns);
    auto workload = program.workload();
    workload.kernels[2].shape.cluster.x = 4;
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 1), "100-150");
    EXPECT_EQ(ran(timeline, 2).substr(0, 4), "150-");
}

TEST(KernelSharing, who_waits_behind_clusters_may_use_the_sms_that_these_cannot) {
    auto model = round_model();
    model.device.multiprocessors = 5;
    model.kernels.cluster_multiprocessors = Curve{{{4, 4}}};
    model.kernels.sms_beside_clusters = 1;
    // The first keeps two SMs. Of the other three a cluster of four cannot use one.
    WorkloadBuilder program{4};
    constexpr Bytes kMostOfSm{220 * 1024};
    program.on(0).kernel(2, 100ns, 256, kMostOfSm).on(1).kernel(4, 100ns, 256, kMostOfSm);
    program.on(2).kernel(2, 30ns, 256, kMostOfSm).on(3).kernel(1, 30ns, 256, kMostOfSm);
    auto workload = program.workload();
    workload.kernels[1].shape.cluster.x = 4;
    const auto timeline = simulate(workload, model);
    EXPECT_EQ(ran(timeline, 0), "0-100");
    EXPECT_EQ(ran(timeline, 1), "100-200");
    EXPECT_EQ(ran(timeline, 2), "0-60");  // block by block
    EXPECT_EQ(ran(timeline, 3), "60-90");
    Rules rules;
    rules.switch_off(Rule::clusters);
    EXPECT_EQ(ran(simulate(workload, model, rules), 1), "0-200");
    // Behind pairs everybody waits.
    model.kernels.sms_beside_clusters = 0;
    EXPECT_EQ(ran(simulate(workload, model), 2), "100-160");
}

TEST(KernelSharing, a_cluster_larger_than_the_device_runs_all_the_same) {
    auto model = round_model();
    model.kernels.cluster_multiprocessors = Curve{{{4, 1}}};
    WorkloadBuilder program{1};
    program.kernel(8, 50ns);
    auto workload = program.workload();
    workload.kernels[0].shape.cluster.x = 8;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-50");
}

TEST(KernelSharing, a_memset_of_a_word_needs_no_room_on_an_sm) {
    WorkloadBuilder program{2};
    program.on(0).kernel(4, 100ns).on(1).memset(Bytes{4});
    EXPECT_EQ(ran(simulate(program.workload(), round_model()), 1), "0-4");
    WorkloadBuilder larger{2};
    larger.on(0).kernel(4, 100ns).on(1).memset(Bytes{4096});
    EXPECT_EQ(ran(simulate(larger.workload(), round_model()), 1).substr(0, 4), "100-");
}

TEST(KernelSharing, a_kernel_that_needs_a_larger_carve_out_waits_for_an_empty_sm) {
    WorkloadBuilder program{3};
    // One block on each of two SMs; then two that need more shared memory than they set aside, and
    // one behind them that does not.
    program.on(0).kernel(2, 100ns).on(1).kernel(2, 50ns).on(2).kernel(1, 10ns);
    auto workload = program.workload();
    workload.kernels[0].shape.executed_shared_memory = Bytes{8192};
    workload.kernels[1].shape.executed_shared_memory = Bytes{16384};
    workload.kernels[1].shape.static_shared_memory = Bytes{8192};
    workload.kernels[2].shape.executed_shared_memory = Bytes{8192};
    const auto timeline = simulate(workload, round_model());
    EXPECT_EQ(ran(timeline, 1), "100-150");
    EXPECT_EQ(ran(timeline, 2), "100-110");  // served in order, then beside the larger one
    auto without = workload;  // no shared memory of its own: what the system reserves is enough
    without.kernels[1].shape.static_shared_memory = Bytes{};
    EXPECT_EQ(ran(simulate(without, round_model()), 1), "0-50");
    without.kernels[1].shape.block.x = 64;  // but not for the 32 blocks that an SM could hold
    EXPECT_EQ(ran(simulate(without, round_model()), 1), "100-150");
    Rules rules;
    rules.switch_off(Rule::carve_out);
    EXPECT_EQ(ran(simulate(workload, round_model(), rules), 1), "0-50");
}

}  // namespace
}  // namespace overcast
