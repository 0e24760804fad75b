// The host's side of extract: what calls cost without the recorder, and the time between them.
#include "workload/extract.hpp"

#include "tests/support/extraction.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

TEST(ExtractHostTime, takes_the_recorders_share_out_of_each_call) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(5us))
        .issue(kernel("b").call_taking(2us))
        .synchronise_device();
    const auto result = extract_all(trace);
    EXPECT_EQ(result.workload.operations[0].call_cost, 4us);  // 5 traced, 1 of them the recorder's
    EXPECT_EQ(result.workload.operations[1].call_cost, 1us);
    EXPECT_EQ(result.workload.operations[2].call_cost, 300ns);  // the wait itself does not count
}

TEST(ExtractHostTime, a_call_faster_than_usual_loses_the_recorders_share_in_proportion) {
    TraceBuilder trace;  // half of the usual 2 us is the recorder's
    trace.issue(kernel("a").call_taking(1100ns));
    EXPECT_EQ(extract_all(trace).workload.operations[0].call_cost, 550ns);
}

TEST(ExtractHostTime, keeps_what_held_calls_up_where_a_recorded_run_is_to_be_predicted) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(25us));
    for (int i = 0; i < 8; ++i) {
        trace.issue(kernel("a").call_taking(3us));
    }
    EXPECT_EQ(extract_all(trace).workload.operations[0].call_cost, 2us);
    ExtractOptions options;
    options.keep_held_up = true;
    EXPECT_EQ(extract(trace.build(), round_cost(), options).workload.operations[0].call_cost, 24us);
}

TEST(ExtractHostTime, gives_a_call_that_waits_its_nominal_cost) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).blocking().taking(30us)).issue(d2h(mib(1)).blocking().taking(30us));
    const auto result = extract_all(trace);
    for (const auto& operation : result.workload.operations) {
        EXPECT_EQ(operation.call_cost, 1us);
    }
    EXPECT_FALSE(std::get<Copy>(result.workload.operations[0].action).asynchronous);
}

// The device starts 130 us into the call, while the host fills the driver's buffer; it ends at 230,
// and the copy back, from 240 to 340, keeps the host until 410 to empty it.
TEST(ExtractHostTime, staging_of_pageable_copies_is_host_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).pageable().starting_at(130us).taking(100us).call_taking(230us))
        .issue(d2h(mib(1)).pageable().starting_at(240us).taking(100us).call_taking(180us))
        .issue(kernel("next"));
    const auto operations = extract_all(trace).workload.operations;
    EXPECT_EQ(std::get<Copy>(operations[0].action).source, MemoryKind::pageable);
    EXPECT_EQ(operations[0].call_cost, 130us);
    EXPECT_EQ(operations[1].call_cost, 1us);
    EXPECT_EQ(operations[2].host_before, 70us);
}

// As in a replay: the kernel ends at 305 us, cudaFree is called at 2 and returns at 405.
TEST(ExtractHostTime, a_release_costs_what_it_took_beyond_its_wait) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(300us)).call("cudaFree", 403us).issue(kernel("b"));
    const auto release = extract_all(trace).workload.operations[1];
    ASSERT_TRUE(std::holds_alternative<ReleaseMemory>(release.action));
    EXPECT_EQ(release.call_cost, 0us);
    EXPECT_EQ(release.after_wait, 100us);
}

TEST(ExtractHostTime, a_release_on_an_idle_device_costs_all_that_it_took) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(10us)).host_time(1ms).call("cudaFree", 70us).issue(kernel("b"));
    EXPECT_EQ(extract_all(trace).workload.operations[1].after_wait, 69us);  // less the recorder's 1
}

// The copies end at 155 and 306 us; cudaMalloc is called at 4 and returns at 316.
TEST(ExtractHostTime, an_allocation_that_returned_after_the_copies_to_the_device_waits_for_them) {
    TraceBuilder trace;
    trace.issue(h2d(mib(8)).on(7).starting_at(5us).taking(150us))
        .issue(h2d(mib(8)).on(8).starting_at(156us).taking(150us))
        .call("cudaMalloc", 312us)
        .issue(kernel("a").on(7));
    const auto allocation = extract_all(trace).workload.operations[2];
    ASSERT_TRUE(std::holds_alternative<HostCall>(allocation.action));
    EXPECT_TRUE(std::get<HostCall>(allocation.action).after_copies_to_device);
    EXPECT_EQ(allocation.call_cost, 0us);
    EXPECT_EQ(allocation.after_wait, 10us);
}

TEST(ExtractHostTime, an_allocation_beside_a_kernel_or_a_longer_copy_does_not_wait) {
    TraceBuilder trace;
    trace.issue(kernel("a").on(7).taking(50us)).call("cudaMalloc", 60us);
    trace.issue(h2d(mib(8)).on(7).taking(150us)).call("cudaMalloc", 60us).issue(kernel("b").on(7));
    const auto operations = extract_all(trace).workload.operations;
    for (const std::size_t i : {1U, 3U}) {
        EXPECT_FALSE(std::get<HostCall>(operations[i].action).after_copies_to_device);
        EXPECT_EQ(operations[i].call_cost, 59us);  // less the recorder's 1
    }
}

TEST(ExtractHostTime, host_time_is_the_gap_since_the_threads_previous_call) {
    TraceBuilder trace;
    trace.host_time(40us).issue(h2d(mib(1))).host_time(7us).issue(kernel("a"));
    const auto result = extract_all(trace);
    EXPECT_EQ(result.workload.operations[0].host_before, 0us);
    EXPECT_EQ(result.workload.operations[1].host_before, 7us);
}

TEST(ExtractHostTime, what_the_host_does_in_a_named_range_before_its_first_call_is_a_part_of_it) {
    TraceBuilder trace;
    trace.issue(kernel("before")).host_time(40us);
    trace.range("solve", [](TraceBuilder& inside) {
        inside.host_time(14us).issue(kernel("a").taking(20us)).synchronise_device();
    });
    ExtractOptions options;
    options.range = "nvtx:solve";
    const auto result = extract(trace.build(), round_cost(), options);
    EXPECT_EQ(result.workload.operations[0].host_before, 14us);
    EXPECT_EQ(result.measured.entries[0].call_start - TimelineTime{}, 14us);
    EXPECT_EQ(extract_all(trace).workload.operations[0].host_before, 0us) << "no range was named";
}

TEST(ExtractHostTime, what_held_the_host_up_in_a_named_range_before_its_first_call_is_left_out) {
    const auto first_of = [](Duration held_up, int others) {
        TraceBuilder trace;
        trace.issue(kernel("b"));
        for (int i = 0; i < others; ++i) {  // before some of them the program waits
            trace.host_time(i % 2 == 0 ? 10us : 90us).issue(kernel("a"));
        }
        trace.range("solve", [&](TraceBuilder& inside) {
            inside.host_time(held_up).issue(kernel("a")).synchronise_device();
        });
        ExtractOptions options;
        options.range = "nvtx:solve";
        return extract(trace.build(), round_cost(), options).workload.operations[0].host_before;
    };
    EXPECT_EQ(first_of(15us, 12), 15us);
    EXPECT_EQ(first_of(60us, 12), 10us);
    EXPECT_EQ(first_of(60us, 4), 60us) << "seen too seldom";
}

TEST(ExtractHostTime, what_the_recorder_takes_around_calls_is_a_part_of_them) {
    // 2 us of each call, 0.4 of them around what is shown of a launch and 0.2 of a copy: of the
    // time between a copy and a launch 0.3 belong to the launch, which so takes 2.1 in all.
    auto cost = round_cost();
    cost.traced.between.kernel_launch = 400ns;
    cost.traced.between.copy = 200ns;
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).call_taking(2us))
        .host_time(7us)
        .issue(kernel("a").call_taking(1800ns))
        .host_time(250ns)
        .issue(kernel("b").call_taking(1800ns));
    const auto operations = extract(trace.build(), cost, {}).workload.operations;
    EXPECT_EQ(operations[1].call_cost, 1100ns);
    EXPECT_EQ(operations[1].host_before, 6700ns);
    EXPECT_EQ(operations[2].call_cost, 1050ns);  // there is no more than 0.25
    EXPECT_EQ(operations[2].host_before, 0ns);
}

TEST(ExtractHostTime, calls_without_meaning_for_the_device_are_host_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)))
        .host_time(3us)
        .call("cudaGetLastError", 2us)
        .host_time(4us)
        .issue(kernel("a"));
    const auto result = extract_all(trace);
    ASSERT_EQ(result.workload.operations.size(), 2U);
    // 3 + 4 around the call, and 2 − 1 (the recorder's) inside it.
    EXPECT_EQ(result.workload.operations[1].host_before, 8us);
}

TEST(ExtractHostTime, what_the_recorder_did_between_two_calls_is_not_host_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)));
    trace.overhead(OverheadKind::buffer_request, trace.now() + 1us, 6us);
    trace.host_time(10us).issue(kernel("a"));
    EXPECT_EQ(extract_all(trace).workload.operations[1].host_before, 4us);
}

TEST(ExtractHostTime, a_call_held_up_by_a_full_launch_queue_costs_the_nominal_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)));
    trace.overhead(OverheadKind::command_buffer_full, trace.now() + 1us, 80us);
    trace.issue(kernel("a").call_taking(90us));
    EXPECT_EQ(extract_all(trace).workload.operations[1].call_cost, 1us);
}

TEST(ExtractHostTime, the_outer_of_two_nested_calls_counts) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(4us)).inner_call("cuLaunchKernel").synchronise_device();
    const auto result = extract_all(trace);
    ASSERT_EQ(result.workload.operations.size(), 2U);
    EXPECT_EQ(result.workload.names[result.workload.operations[0].name], "cudaLaunchKernel");
}

TEST(ExtractHostTime, a_call_that_only_seems_to_start_inside_another_stands_for_itself) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(3us)).host_time(-1us).call("cudaMalloc", 5us);
    trace.synchronise_device();
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.operations.size(), 3U);
    EXPECT_EQ(workload.operations[1].host_before, 0us);
    EXPECT_EQ(workload.operations[1].call_cost, 4us);  // 5 less the recorder's 1
}

TEST(ExtractHostTime, a_host_function_belongs_to_the_only_stream) {
    TraceBuilder trace;
    trace.issue(kernel("a")).call("cudaLaunchHostFunc", 2us).issue(kernel("b"));
    const auto one = extract_all(trace).workload;
    EXPECT_TRUE(std::holds_alternative<HostFunction>(one.operations[1].action));
    trace.issue(kernel("c").on(13));
    const auto two = extract_all(trace).workload;
    EXPECT_TRUE(std::holds_alternative<HostCall>(two.operations[1].action));
    EXPECT_TRUE(warns(two.warnings, "host-function"));
}

TEST(ExtractHostTime, a_loop_of_polls_is_one_wait) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).taking(40us)).host_time(3us);
    for (int i = 0; i < 5; ++i) {
        trace.call("cudaStreamQuery", 1us, 600).host_time(5us);
    }
    trace.call("cudaStreamQuery", 1us);
    const auto result = extract_all(trace);
    ASSERT_EQ(result.workload.operations.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<SynchroniseStream>(result.workload.operations[1].action));
    EXPECT_EQ(result.workload.operations[1].host_before, 3us);
}

TEST(ExtractHostTime, each_thread_has_its_own_host_time) {
    TraceBuilder trace;
    trace.on_thread(1).issue(kernel("a").on(13));
    trace.on_thread(2).host_time(50us).issue(kernel("b").on(14));
    trace.host_time(4us).issue(kernel("c").on(14));
    const auto workload = extract_all(trace).workload;
    EXPECT_EQ(workload.threads, 2U);
    EXPECT_TRUE(warns(workload.warnings, "host-threads"));
    EXPECT_EQ(workload.operations[1].thread, ThreadIndex{1});
    EXPECT_EQ(workload.operations[1].host_before, 50us);  // since the start of the region
    EXPECT_EQ(workload.operations[2].host_before, 4us);
}

// Two threads take turns, calls of 2 us: thread 2 calls 10 us after thread 1 returned, and thread 1
// again 5 us after that. If one thread made all calls, each would wait only for the call before it.
TEST(ExtractHostTime, threads_that_take_turns_do_not_add_up_their_waits) {
    TraceBuilder trace;
    trace.on_thread(1).issue(kernel("a").on(13));                  // 0 to 2
    trace.on_thread(2).host_time(12us).issue(kernel("b").on(13));  // 12 to 14
    trace.on_thread(1).host_time(17us).issue(kernel("c").on(13));  // 19 to 21
    const auto workload = extract_all(trace).workload;
    EXPECT_EQ(workload.operations[2].host_before, 17us);
    EXPECT_EQ(workload.merged_host_before, (std::vector<Duration>{0us, 10us, 5us}));
}

}  // namespace
}  // namespace overcast
