// Each test is one rule of what the host waits for, played with round numbers: 1 byte is 1 ns.

#include "simulator/simulator.hpp"

#include "core/error.hpp"
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

TEST(HostWaits, the_host_issues_in_time) {
    WorkloadBuilder program;
    program.calls_take(5us).on(0).h2d(1_B).host_works(2us).on(1).d2h(1_B);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(timeline.entries[0].device_start, TimelineTime{5us});  // one call of 5 us
    EXPECT_EQ(timeline.entries[1].call_start, TimelineTime{7us});    // 2 us of its own
    EXPECT_EQ(timeline.entries[1].device_start, TimelineTime{12us});
}

TEST(HostWaits, a_synchronous_copy_holds_the_host_until_it_is_done) {
    auto model = round_model();
    model.host.synchronise_wake_up = 7ns;
    WorkloadBuilder program;
    program.on(0).h2d(100_B, MemoryKind::pinned, false).d2h(10_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(timeline.entries[0].call_end, TimelineTime{107ns});
    EXPECT_EQ(ran(timeline, 1), "107-117");
}

TEST(HostWaits, a_memset_or_d2d_copy_holds_the_host_only_if_it_is_said_to_wait) {
    for (const bool asynchronous : {true, false}) {
        WorkloadBuilder program;
        program.on(0).memset(100_B, asynchronous).d2d(50_B, asynchronous);
        const auto timeline = simulate(program.workload(), round_model());
        EXPECT_EQ(timeline.entries[0].call_end, TimelineTime{asynchronous ? 0ns : 100ns});
        EXPECT_EQ(timeline.entries[1].call_end, TimelineTime{asynchronous ? 0ns : 150ns});
    }
}

TEST(HostWaits, a_pageable_copy_blocks_the_host_even_if_asynchronous) {
    WorkloadBuilder program;
    program.on(0).h2d(100_B, MemoryKind::pageable).on(1).d2h(10_B);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(timeline.entries[0].call_end, TimelineTime{100ns});
    EXPECT_EQ(ran(timeline, 1), "100-110");
}

// Rules 7 and 8: six streams take four H2D channels 10, 11, 8, 9, 10, 11. Stream 4 shares channel
// 10 with stream 0, whose second copy waits for a long kernel: stream 4's is held up although
// nothing of its own stands before it.

TEST(HostWaits, the_host_writes_the_data_of_a_copy_that_travels_inline) {
    auto model = round_model();
    model.inline_copies = {.pageable_limit = Bytes{64},
                           .pinned_limit = Bytes{8},
                           .pinned_idle_limit = Bytes{48},
                           .duration = 5ns,
                           .duration_ns = {},
                           .call_ns = Curve{{{0, 0}, {48, 96}}}};
    WorkloadBuilder program{1};
    program.on(0).h2d(24_B).kernel(1, 10ns);
    auto workload = program.workload();
    std::get<Copy>(workload.operations[0].action).measured_inline = false;
    const auto written = simulate(workload, model);
    EXPECT_EQ(written.entries[0].call_end - written.entries[0].call_start, 48ns);
    EXPECT_EQ(ran(written, 0).substr(0, 3), "48-");
    EXPECT_GE(written.entries[1].call_start, written.entries[0].call_end);
    std::get<Copy>(workload.operations[0].action).measured_inline.reset();
    EXPECT_EQ(ran(simulate(workload, model), 0), "0-5");
}

TEST(HostWaits, an_event_holds_another_stream) {
    auto model = round_model();
    model.gaps.event = 2ns;
    WorkloadBuilder program{2};
    program.on(0).kernel(1, 100ns).record().kernel(1, 50ns).on(1).wait_for(0).kernel(1, 10ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 4), "102-112");
}

TEST(HostWaits, the_legacy_default_stream_waits_for_blocking_streams_and_they_for_it) {
    const auto play = [](StreamKind kind) {
        WorkloadBuilder program{3, kind};
        program.stream_kind(1, StreamKind::legacy_default);
        program.on(0).kernel(1, 500ns).on(1).kernel(1, 500ns).on(2).kernel(1, 500ns);
        return simulate(program.workload(), round_model()).wall;
    };
    EXPECT_EQ(play(StreamKind::blocking), 1500ns);  // rule 31: 1,514 us
    EXPECT_EQ(play(StreamKind::non_blocking), 500ns);
}

TEST(HostWaits, a_full_launch_queue_blocks_the_host) {
    auto model = round_model();
    model.channels.queue_depth = 2;
    WorkloadBuilder program{1};
    for (int i = 0; i < 4; ++i) {
        program.on(0).kernel(4, 100ns);
    }
    const auto timeline = simulate(program.workload(), model);
    // The first leaves its channel at once, two wait; the fourth call returns when the second
    // kernel has been placed, at 100.
    EXPECT_EQ(timeline.entries[2].call_end, TimelineTime{0ns});
    EXPECT_EQ(timeline.entries[3].call_end, TimelineTime{100ns});
}

TEST(HostWaits, releasing_memory_waits_for_the_device) {
    WorkloadBuilder program{1};
    program.on(0).kernel(1, 100ns).release_memory();
    EXPECT_EQ(simulate(program.workload(), round_model()).wall, 100ns);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(timeline.entries[1].call_end, TimelineTime{100ns});
}

// The copies of the two streams take turns: 0 to 100 and 100 to 150; the kernel runs until 300.

TEST(HostWaits, mapping_memory_waits_for_copies_to_the_device_and_not_for_kernels) {
    WorkloadBuilder program{3};
    program.on(2).kernel(1, 300ns).on(0).h2d(100_B).on(1).h2d(50_B).allocate_memory();
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(timeline.entries[3].call_end, TimelineTime{150ns});
    Rules rules;
    rules.switch_off(Rule::implicit_sync);
    EXPECT_EQ(simulate(program.workload(), round_model(), rules).entries[3].call_end,
              TimelineTime{0ns});
}

// What stands behind a copy in its stream is not waited for.

TEST(HostWaits, mapping_memory_waits_for_the_last_copy_of_a_stream) {
    WorkloadBuilder program{1};
    program.on(0).h2d(100_B).kernel(1, 300ns).allocate_memory();
    EXPECT_EQ(simulate(program.workload(), round_model()).entries[2].call_end, TimelineTime{100ns});
}

TEST(HostWaits, two_host_threads_issue_in_parallel) {
    WorkloadBuilder program{2};
    program.calls_take(10ns).by_thread(0).on(0).h2d(1_B).by_thread(1).on(1).d2h(1_B);
    const auto timeline = simulate(program.workload(), round_model());
    EXPECT_EQ(timeline.entries[0].device_start, TimelineTime{10ns});
    EXPECT_EQ(timeline.entries[1].device_start, TimelineTime{10ns});
}

TEST(HostWaits, a_wait_for_an_event_that_nobody_records_is_an_error) {
    WorkloadBuilder program{2};
    program.on(0).record().on(1).wait_for(0);
    auto workload = program.workload();
    workload.operations.erase(workload.operations.begin());
    EXPECT_THROW(simulate(workload, round_model()), Error);
}

// The kernel ends at 50. A call that returns at 47 puts the copy into a channel that waits, one
// that returns no more than 2 before the end does not.

TEST(HostWaits, a_copy_that_is_issued_late_finds_the_work_before_it_done) {
    auto model = round_model();
    constexpr auto kKind = static_cast<std::size_t>(GapKind::kernel_to_d2h);
    model.gaps.base[kKind] = 5ns;
    const auto copy_runs = [&](Duration returns, const Rules& rules = {}) {
        WorkloadBuilder program;
        program.on(0).kernel(1, 50ns).host_works(returns).d2h(10_B);
        return ran(simulate(program.workload(), model, rules), 1);
    };
    EXPECT_EQ(copy_runs(52ns), "55-65");  // not measured: there is always a gap
    model.gaps.late_arrival[kKind] = 2ns;
    EXPECT_EQ(copy_runs(47ns), "55-65");
    EXPECT_EQ(copy_runs(48ns), "50-60");
    EXPECT_EQ(copy_runs(52ns), "52-62");
    Rules without;
    without.switch_off(Rule::late_arrival);
    EXPECT_EQ(copy_runs(52ns, without), "55-65");
}

}  // namespace
}  // namespace overcast
