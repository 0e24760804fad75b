// Each test is one rule of the hardware, played with round numbers: 1 byte is 1 ns.

#include "simulator/simulator.hpp"

#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::round_model;
using test::WorkloadBuilder;
using namespace test;

TEST(Simulator, stream_order_makes_a_chain) {
    WorkloadBuilder program;
    program.on(0).h2d(100_B).kernel(2, 50ns).d2h(30_B).synchronise(0);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(ran(timeline, 0), "0-100");
    EXPECT_EQ(ran(timeline, 1), "100-150");
    EXPECT_EQ(ran(timeline, 2), "150-180");
    EXPECT_EQ(timeline.wall, 180ns);
    EXPECT_EQ(timeline.device, 180ns);
}

TEST(Simulator, copies_of_one_direction_serialise_and_directions_overlap) {
    WorkloadBuilder program;
    program.on(0).h2d(100_B).on(1).h2d(100_B).on(2).d2h(150_B);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(ran(timeline, 0), "0-100");
    EXPECT_EQ(ran(timeline, 1), "100-200");
    EXPECT_EQ(ran(timeline, 2), "0-150");
    EXPECT_EQ(timeline.entries[1].waited_for, WaitReason::copy_engine);
}

TEST(Simulator, a_channel_is_a_fifo_and_makes_false_dependencies) {
    WorkloadBuilder program{6};
    for (std::uint32_t stream = 0; stream < 4; ++stream) {
        program.on(stream).h2d(10_B);
    }
    program.on(0).kernel(1, 1us).h2d(10_B);  // keeps channel 10: it becomes the last used
    program.on(4).h2d(10_B);                 // least recently used is now channel 11
    program.on(5).h2d(10_B);                 // then 8
    program.on(4).kernel(1, 500ns).h2d(10_B);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(number(timeline.entries[0].channel), 10U);
    EXPECT_EQ(number(timeline.entries[1].channel), 11U);
    EXPECT_EQ(number(timeline.entries[2].channel), 8U);
    EXPECT_EQ(number(timeline.entries[3].channel), 9U);
    EXPECT_EQ(number(timeline.entries[5].channel), 10U);
    EXPECT_EQ(number(timeline.entries[6].channel), 11U);
    EXPECT_EQ(number(timeline.entries[7].channel), 8U);
    EXPECT_EQ(number(timeline.entries[9].channel), 11U);
}

TEST(Simulator, a_blocked_head_holds_up_another_streams_copy) {
    WorkloadBuilder program{2};
    program.max_connections(1);
    program.on(0).h2d(10_B).kernel(1, 1000ns).h2d(10_B);
    program.on(1).h2d(10_B);
    const auto with = simulate(program.workload(), round_model());
    EXPECT_EQ(ran(with, 3),
              "1020-1030");  // behind the copy that waits for the kernel: 10 + 1000 + 10
    EXPECT_EQ(with.entries[3].waited_for, WaitReason::channel);
    Rules rules;
    rules.switch_off(Rule::channel_fifo);
    EXPECT_EQ(ran(simulate(program.workload(), round_model(), rules), 3), "10-20");
}

// Rule 9: the engine stays on channel 10 while that channel's head is ready, then goes up: 11, then
// wraps to 8 and 9. Streams 0..3 own 10, 11, 8, 9.

TEST(Simulator, a_copy_engine_drains_its_channel_and_then_goes_up) {
    WorkloadBuilder program{4};
    program.on(0).h2d(100_B).on(1).h2d(10_B).on(2).h2d(10_B).on(3).h2d(10_B).on(0).h2d(10_B);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(ran(timeline, 4), "100-110");  // same channel first, although it was issued last
    EXPECT_EQ(ran(timeline, 1), "110-120");  // channel 11
    EXPECT_EQ(ran(timeline, 2), "120-130");  // then 8
    EXPECT_EQ(ran(timeline, 3), "130-140");  // then 9
    Rules rules;
    rules.switch_off(Rule::engine_drain);
    EXPECT_EQ(ran(simulate(program.workload(), round_model(), rules), 1), "100-110");
}

// Rule 5: while both run, H2D advances at 1/2 and D2H at 1/4 of its speed. D2H alone needs 100, so
// it would take 400; H2D of 100 needs 200, then D2H has 100 - 200/4 = 50 left: ends at 250.

TEST(Simulator, directions_slow_each_other_while_both_run) {
    auto model = round_model();
    model.h2d.duplex_factor = Curve{{{1, 2.0}}};
    model.d2h.duplex_factor = Curve{{{1, 4.0}}};
    WorkloadBuilder program;
    program.on(0).h2d(100_B).on(1).d2h(100_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 0), "0-200");
    EXPECT_EQ(ran(timeline, 1), "0-250");
}

// Rule 6: kernels wait in three channels behind one that fills both SMs, and two more stand behind
// each of them: 2 entries per channel, so that H2D runs at 1 / (1 + 2 * 0.25). In two channels they
// do no harm.

TEST(Simulator, h2d_slows_by_what_stands_behind_the_heads_of_waiting_channels) {
    auto model = round_model();
    model.waiting_slowdown = {
        .per_entry = Curve{{{2, 0}, {3, 0.25}}}, .most_entries = 10, .to_host = {}};
    for (const std::uint32_t waiting : {2U, 3U}) {
        WorkloadBuilder program{5};
        program.on(0).kernel(4, 1000ns);
        for (std::uint32_t stream = 1; stream <= waiting; ++stream) {
            program.on(stream).kernel(4, 1000ns).kernel(1, 10ns).kernel(1, 10ns);
        }
        program.on(4).h2d(100_B);
        const auto copy = 1 + 3 * waiting;
        EXPECT_EQ(ran(simulate(program.workload(), model), copy), waiting < 3 ? "0-100" : "0-150");
    }
}

// Stream 1 copies out; behind the kernel of stream 0 wait the kernels of two streams, or the copies
// in of two that wait for them, which makes four channels.

TEST(Simulator, d2h_slows_by_the_channels_that_wait) {
    auto model = round_model();
    model.waiting_slowdown.to_host = Curve{{{2, 0}, {4, 0.5}}};
    const auto copy_runs = [&](bool copies_wait) {
        WorkloadBuilder program{4};
        program.on(0).kernel(4, 1000ns).record();
        for (const std::uint32_t stream : {2U, 3U}) {
            program.on(stream).wait_for(0);
            if (copies_wait) {
                program.h2d(10_B);
            }
            program.kernel(4, 10ns);
        }
        program.on(1).d2h(100_B);
        const auto copy = copies_wait ? 8U : 6U;
        return ran(simulate(program.workload(), model), copy);
    };
    EXPECT_EQ(copy_runs(false), "0-100");
    EXPECT_EQ(copy_runs(true), "0-150");
}

// One compute channel. Its head waits for a D2H; behind it stands a kernel that waits for another:
// one entry, so that H2D runs at 1 / (1 + 0.25).

TEST(Simulator, a_wait_for_another_channel_is_no_entry_of_its_own) {
    auto model = round_model();
    model.waiting_slowdown = {.per_entry = Curve{{{1, 0.25}}}, .most_entries = 10, .to_host = {}};
    WorkloadBuilder program{3};
    program.max_connections(1).on(0).d2h(1000_B).kernel(1, 10ns);
    program.on(1).d2h(1000_B).kernel(1, 10ns).on(2).h2d(100_B);
    EXPECT_EQ(ran(simulate(program.workload(), model), 4), "0-125");
}

// The copy of 60 takes 1.5 times as long: 90. Until then the kernel runs at half its speed: 45 of
// its 100 are done, 55 are left.

TEST(Simulator, copies_and_kernels_that_use_the_memory_slow_each_other) {
    auto model = round_model();
    model.memory_kernels.h2d_factor = Curve{{{1, 1.5}}};
    model.memory_kernels.read_beside_h2d = 2;
    model.memory_kernels.write_beside_h2d = 2;
    WorkloadBuilder program{2};
    program.on(0).kernel(2, 100ns).on(1).h2d(60_B);
    auto workload = program.workload();
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-100");  // no counter told
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-60");
    auto& counters = workload.kernels[0].counters.emplace();  // too few to say what an SM does
    counters.values[static_cast<std::size_t>(KernelCounter::dram)] = 1;
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-145");
    EXPECT_EQ(ran(simulate(workload, model), 1), "0-90");
    Rules rules;
    rules.switch_off(Rule::dram_sharing);
    EXPECT_EQ(ran(simulate(workload, model, rules), 0), "0-100");
}

TEST(Simulator, turnaround_separates_copies_of_one_engine) {
    auto model = round_model();
    model.h2d.turnaround_same = 3ns;
    model.h2d.turnaround_other = 8ns;
    WorkloadBuilder program;
    program.on(0).h2d(100_B).h2d(10_B).on(1).h2d(10_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 1), "103-113");
    EXPECT_EQ(ran(timeline, 2), "121-131");
}

// Rule 10: with one compute channel, small kernels of two streams still run side by side.

TEST(Simulator, sharing_a_compute_channel_does_not_serialise_kernels) {
    WorkloadBuilder program{2};
    program.max_connections(1).on(0).kernel(1, 100ns).on(1).kernel(1, 100ns);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(ran(timeline, 1), "0-100");
}

// Rule 20: two SMs hold four blocks of 1024 threads. Five blocks of 100 ns are two waves: 4,
// then 1. The second kernel (3 blocks) gets the room that is left in the second wave.

TEST(Simulator, the_next_kernel_fills_the_tail_of_the_one_before) {
    WorkloadBuilder program{2};
    program.on(0).kernel(5, 200ns).on(1).kernel(3, 100ns);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(ran(timeline, 0), "0-200");
    EXPECT_EQ(ran(timeline, 1), "100-200");
    EXPECT_EQ(timeline.entries[1].waited_for, WaitReason::sm_room);
    Rules rules;
    rules.switch_off(Rule::tail_filling);
    EXPECT_EQ(ran(simulate(program.workload(), round_model(), rules), 1), "200-300");
}

// Leftover policy: a small kernel does not overtake a big one that waits for room.

TEST(Simulator, kernels_are_served_in_order_of_readiness) {
    WorkloadBuilder program{3};
    program.on(0).kernel(3, 100ns).on(1).kernel(8, 200ns).on(2).kernel(1, 50ns);
    const auto timeline = simulate(program.workload(), round_model());
    // Kernel 1: one block at 0 beside kernel 0's three; it ends at 100 and all four slots take 4 of
    // the 7 left; at 200 the last 3 and kernel 2's block.
    EXPECT_EQ(ran(timeline, 1), "0-300");
    EXPECT_EQ(ran(timeline, 2), "200-250");
}

TEST(Simulator, large_grids_are_played_in_whole_waves) {
    // 10^6 blocks on 4 slots: 250,000 waves of 100 ns; a kernel behind it starts when the last wave
    // has been placed, and shares nothing: 10^6 is a multiple of 4.
    WorkloadBuilder program{2};
    program.on(0).kernel(1'000'000, 25ms).on(1).kernel(4, 100ns);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(timeline.entries[0].device_end, TimelineTime{25ms});
    EXPECT_EQ(timeline.entries[1].device_start, TimelineTime{25ms});
}

// One block of either kernel takes all issue slots of its SM: the older goes first.

TEST(Simulator, kernels_on_one_sm_share_its_issue_slots) {
    auto model = round_model();
    model.kernels.saturating_warps = 32;  // one block of 1024 threads is enough for an SM
    WorkloadBuilder program{2};
    program.on(0).kernel(2, 100ns).on(1).kernel(2, 100ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 0), "0-100");
    EXPECT_EQ(ran(timeline, 1), "0-200");
    Rules rules;
    rules.switch_off(Rule::corun_slowdown);
    EXPECT_EQ(ran(simulate(program.workload(), model, rules), 1), "0-100");
}

TEST(Simulator, small_h2d_copies_travel_in_the_compute_channel) {
    auto model = round_model();
    model.inline_copies = {.pageable_limit = Bytes{64},
                           .pinned_limit = Bytes{32},
                           .pinned_idle_limit = Bytes{48},
                           .duration = 5ns};
    WorkloadBuilder program{2};
    program.on(1).h2d(1000_B).on(0).h2d(32_B).h2d(48_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 1), "0-5");  // beside the engine's copy
    EXPECT_EQ(ran(timeline, 2),
              "1000-1048");  // the stream is busy at issue: it waits for the engine
}

// The inline copy is served from 0 to 20. When it leaves, a kernel that waits for the engine's copy
// is the head of the channel, with one entry behind it: of 100 bytes 80 are left, at half the pace.

TEST(Simulator, a_copy_slows_down_as_soon_as_an_inline_copy_leaves_its_channel_to_what_waits) {
    auto model = round_model();
    model.inline_copies = {.pageable_limit = {},
                           .pinned_limit = Bytes{32},
                           .pinned_idle_limit = Bytes{32},
                           .duration = 20ns};
    model.waiting_slowdown = {.per_entry = Curve{{{1, 1.0}}}, .most_entries = 10, .to_host = {}};
    WorkloadBuilder program{2};
    program.max_connections(1);
    program.on(1).h2d(32_B).on(0).h2d(100_B).kernel(1, 10ns).kernel(1, 10ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 0), "0-20");
    EXPECT_EQ(ran(timeline, 1), "0-180");
}

TEST(Simulator, a_warm_program_finds_its_channels_as_the_pass_before_left_them) {
    WorkloadBuilder program{5};
    for (std::uint32_t stream = 0; stream < 5; ++stream) {
        program.on(stream).h2d(10_B);
    }
    const auto cold = simulate(program.workload(), round_model());
    const auto warm = simulate(program.warm().workload(), round_model());
    EXPECT_EQ(number(cold.entries[0].channel), 10U);
    // The first pass ended with streams 4, 1, 2, 3 on 10, 11, 8, 9: stream 0 takes the least
    // recently used, stream 1's 11.
    EXPECT_EQ(number(warm.entries[0].channel), 11U);
}

TEST(Simulator, copies_of_one_engine_are_further_apart_while_kernels_wait) {
    auto model = round_model();
    model.d2h.turnaround_same = 3ns;
    model.d2h.turnaround_growth_ns = Curve{{{1, 0}, {2, 20}}};
    WorkloadBuilder program{3};
    program.on(0).d2h(1000_B).d2h(1000_B);
    program.on(1).h2d(5000_B).kernel(1, 10ns).on(2).h2d(5000_B).kernel(1, 10ns);
    EXPECT_EQ(ran(simulate(program.workload(), model), 1), "1023-2023");
    Rules rules;
    rules.switch_off(Rule::waiting_slowdown);
    EXPECT_EQ(ran(simulate(program.workload(), model, rules), 1), "1003-2003");
}

TEST(Simulator, copies_of_one_engine_are_further_apart_beside_the_other_direction) {
    auto model = round_model();
    model.d2h.turnaround_same = 3ns;
    model.d2h.turnaround_beside = 20ns;
    WorkloadBuilder program{3};
    program.on(0).d2h(1000_B).d2h(1000_B).d2h(1000_B).on(1).h2d(2033_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 1), "1023-2023");
    EXPECT_EQ(ran(timeline, 2), "2036-3036");  // of that copy 10 ns are left
}

// Only one kernel at a time is resident. That of stream 2 has been handed over when stream 3 looks
// for a channel; that of stream 0 waits for a copy.
TEST(Simulator, a_channel_is_empty_for_the_host_when_its_kernel_only_waits_for_room) {
    auto model = round_model();
    model.channels.compute = {1, 2};
    model.kernels.resident_grids = 1;
    WorkloadBuilder program{4};
    program.on(0).h2d(1000_B).kernel(1, 10ns).on(1).kernel(1, 500ns).host_works(1ns);
    program.on(2).kernel(1, 10ns).host_works(1ns).on(3).kernel(1, 10ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(timeline.entries[3].channel, ChannelId{2});
    EXPECT_EQ(timeline.entries[4].channel, ChannelId{2});
    EXPECT_EQ(ran(timeline, 3), "500-510");
}

}  // namespace
}  // namespace overcast
