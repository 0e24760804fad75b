// Extraction of a recording that is to be played as it was: what its calls took themselves is kept,
// what they waited for is not.
#include "tests/support/extraction.hpp"
#include "tests/support/trace_builder.hpp"
#include "workload/extract.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

/// Nothing is taken out of the calls: each keeps what it took.
Extraction as_recorded(const Trace& trace) {
    TracingCost cost = round_cost();
    cost.untraced = cost.traced.calls;
    cost.traced.gaps = {};
    ExtractOptions options;
    options.as_recorded = true;
    return extract(trace, cost, options);
}

TEST(ExtractAsRecorded, a_first_launch_keeps_what_it_took) {
    TraceBuilder trace;
    trace.overhead(OverheadKind::lazy_loading, 10us, 500us);
    trace.issue(kernel("a").call_taking(600us));
    for (int i = 0; i < 10; ++i) {
        trace.issue(kernel("a"));
    }
    EXPECT_EQ(as_recorded(trace.build()).workload.operations[0].call_cost, 600us);
    // What the like of it usually takes is half the nominal cost at least.
    EXPECT_LT(extract_all(trace).workload.operations[0].call_cost, 3us);
}

TEST(ExtractAsRecorded, waiting_for_room_in_the_launch_queue_is_left_to_the_simulator) {
    TraceBuilder trace;
    trace.issue(kernel("a"));
    trace.overhead(OverheadKind::command_buffer_full, trace.now() + 1us, 95us);
    trace.issue(kernel("b").call_taking(100us));
    EXPECT_EQ(as_recorded(trace.build()).workload.operations[1].call_cost, 5us);
}

// The kernel ends at 305 us. cudaFree is called at 2 us and returns at 405: it waits for 303 us and
// needs 100 by itself, whenever the wait is over.
TEST(ExtractAsRecorded, a_release_keeps_its_own_work_and_not_its_wait) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(300us)).call("cudaFree", 403us).issue(kernel("b"));
    const auto release = as_recorded(trace.build()).workload.operations[1];
    ASSERT_TRUE(std::holds_alternative<ReleaseMemory>(release.action));
    EXPECT_EQ(release.call_cost, 0us);
    EXPECT_EQ(release.after_wait, 100us);
}

TEST(ExtractAsRecorded, a_release_on_an_idle_device_is_all_its_own_work) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(10us)).host_time(1ms).call("cudaFree", 70us).issue(kernel("b"));
    EXPECT_EQ(as_recorded(trace.build()).workload.operations[1].after_wait, 70us);
}

// Two waits find the device idle and take 4 and 6 us, one waits for 1 ms: it costs 5 us too.
TEST(ExtractAsRecorded, a_wait_costs_what_idle_ones_of_its_name_take) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(10us)).host_time(100us);
    trace.call("cudaDeviceSynchronize", 4us).call("cudaDeviceSynchronize", 6us);
    trace.issue(kernel("b").taking(1ms)).synchronise_device();
    const auto& operations = as_recorded(trace.build()).workload.operations;
    for (const std::size_t i : {1U, 2U, 4U}) {
        ASSERT_TRUE(std::holds_alternative<SynchroniseDevice>(operations[i].action));
        EXPECT_EQ(operations[i].call_cost, 5us);
        EXPECT_EQ(operations[i].after_wait, 0us);
    }
}

TEST(ExtractAsRecorded, a_pageable_copy_whose_call_returned_before_it_began_does_not_wait) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(1us)).host_time(10us);
    auto buffered = h2d(kib(128)).pageable().starting_at(50us).taking(5us);
    trace.issue(buffered.call_taking(30us)).synchronise_stream(7);
    auto recorded = trace.build();
    recorded.api_calls[1].end = recorded.api_calls[1].start + 30us;  // the builder lets it wait
    const auto copy = as_recorded(recorded).workload.operations[1];
    EXPECT_TRUE(std::get<Copy>(copy.action).buffered);
    EXPECT_EQ(copy.call_cost, 30us);
}

// A recording from the middle of a program: three kernels wait in the stream when it begins, the
// first recorded call is made 40 us after the first of them started.
TEST(ExtractAsRecorded, work_issued_before_the_recording_waits_in_its_stream) {
    TraceBuilder trace;
    for (int i = 0; i < 3; ++i) {
        trace.issue(kernel("before").without_call().starting_at(i * 100us).taking(99us));
    }
    trace.host_time(40us).issue(kernel("after").starting_at(300us));
    const auto result = as_recorded(trace.build());
    ASSERT_EQ(result.workload.operations.size(), 4U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(result.workload.operations[i].host_before, 0us);
        EXPECT_EQ(result.workload.operations[i].call_cost, 0us);
    }
    EXPECT_EQ(result.workload.operations[3].host_before, 40us);
    EXPECT_TRUE(warns(result.workload.warnings, "issued-before"));
    EXPECT_FALSE(warns(result.workload.warnings, "missing-call"));
}

// Two processes, each with its own context; the kernels that lack a call are of the first one's.
TEST(ExtractAsRecorded, work_without_a_call_belongs_to_the_process_whose_context_it_is_in) {
    TraceBuilder trace;
    trace.issue(kernel("before").without_call().starting_at(0us).taking(99us));
    trace.host_time(40us).issue(kernel("own").starting_at(100us).taking(90us));
    trace.on_thread(2).issue(kernel("other").on(9).starting_at(10us).taking(5us));
    trace.issue(kernel("lost").on(9).without_call().starting_at(60us).taking(5us));
    auto recorded = trace.build();
    for (auto& call : recorded.api_calls) {
        call.process = ProcessId{call.thread == ThreadId{2} ? 2U : 1U};
    }
    for (auto& activity : recorded.activities) {
        activity.context = ContextId{activity.stream == StreamId{9} ? 2U : 1U};
    }
    const auto& workload = as_recorded(recorded).workload;
    ASSERT_EQ(workload.operations.size(), 2U);  // process 1, which has the most work
    EXPECT_EQ(workload.names[workload.operations[0].name], kCallNotRecorded);
}

TEST(HostLatencies, are_medians_over_work_given_to_an_idle_device) {
    TraceBuilder trace;
    // Calls at 0, 100 and 200 us return after 2; the device starts 3, 5 and 4 us after that.
    for (const auto start : {5us, 107us, 206us}) {
        trace.issue(kernel("a").starting_at(start).taking(1us)).host_time(98us);
    }
    const auto latencies = as_recorded(trace.build()).latencies;
    ASSERT_TRUE(latencies.kernel_start);
    EXPECT_EQ(latencies.kernel_start->count, 3U);
    EXPECT_EQ(latencies.kernel_start->median, 4us);
    EXPECT_FALSE(latencies.copy_start);
}

TEST(HostLatencies, a_queued_operation_says_nothing) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(1ms)).issue(kernel("b"));
    EXPECT_EQ(as_recorded(trace.build()).latencies.kernel_start->count, 1U);
}

TEST(HostLatencies, a_wait_wakes_up_after_what_it_waited_for) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(1ms)).synchronise_device();  // the device ends at 1005 us
    auto recorded = trace.build();
    recorded.api_calls.back().end += 8us;
    EXPECT_EQ(as_recorded(recorded).latencies.wake_up->median, 8us);
}

TEST(HostLatencies, a_staged_copy_may_return_before_its_end) {
    TraceBuilder trace;
    trace.issue(h2d(mib(8)).pageable().starting_at(100us).taking(1ms));
    trace.issue(kernel("next"));
    auto recorded = trace.build();
    recorded.api_calls.front().end = TraceTime{1080us};  // 20 us before the end
    EXPECT_EQ(as_recorded(recorded).latencies.early_return->median, 20us);
}

// In stream 7 the second kernel starts 50 us after the first because stream 8 holds the device; the
// third follows the second after 2 us, and only that is a gap.
TEST(Overheads, a_gap_counts_only_where_nothing_else_ran) {
    TraceBuilder trace;
    trace.issue(kernel("a").on(7).starting_at(20us).taking(100us))
        .issue(kernel("b").on(8).starting_at(30us).taking(138us))
        .issue(kernel("c").on(7).starting_at(170us).taking(100us))
        .issue(kernel("d").on(7).starting_at(272us).taking(10us))
        .synchronise_device();
    const auto gap = as_recorded(trace.build()).overheads[GapKind::kernel_to_kernel];
    ASSERT_TRUE(gap);
    EXPECT_EQ(gap->count, 1U);
    EXPECT_EQ(gap->median, 2us);
}

}  // namespace
}  // namespace overcast
