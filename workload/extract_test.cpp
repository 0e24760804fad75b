#include "workload/extract.hpp"

#include "core/error.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

/// Recording adds 1 us to every call; a nominal untraced call takes 1 us, a wait 300 ns.
TracingCost round_cost() {
    TracingCost cost;
    cost.untraced = {.kernel_launch = 1us,
                     .copy = 1us,
                     .memset = 1us,
                     .event_record = 100ns,
                     .event_wait = 100ns,
                     .synchronise = 300ns,
                     .host_function = 1us,
                     .other = 1us};
    cost.traced = {.kernel_launch = 2us,
                   .copy = 2us,
                   .memset = 2us,
                   .event_record = 1100ns,
                   .event_wait = 1100ns,
                   .synchronise = 1300ns,
                   .host_function = 2us,
                   .other = 2us};
    cost.device_gap = 200ns;
    return cost;
}

Extraction extract_all(const TraceBuilder& trace) {
    return extract(trace.build(), round_cost(), {});
}

bool warns(const Warnings& warnings, std::string_view code) {
    for (const auto& warning : warnings) {
        if (warning.code == code) {
            return true;
        }
    }
    return false;
}

TEST(Extract, region_runs_from_the_first_enqueuing_call_to_the_last_synchronisation) {
    TraceBuilder trace;
    trace.call("cudaMalloc", 100us)
        .host_time(50us)
        .issue(h2d(mib(1)).taking(20us))
        .issue(kernel("scale").taking(30us))
        .synchronise_stream(7)
        .call("cudaFree", 10us);
    const auto result = extract_all(trace);
    ASSERT_EQ(result.workload.operations.size(), 3U);
    EXPECT_TRUE(std::holds_alternative<Copy>(result.workload.operations[0].action));
    EXPECT_TRUE(std::holds_alternative<KernelLaunch>(result.workload.operations[1].action));
    EXPECT_TRUE(std::holds_alternative<SynchroniseStream>(result.workload.operations[2].action));
    EXPECT_EQ(result.workload.setup, 150us);
    // Copy issued at 150, on the device 155–175; kernel 176–206, where the wait returns.
    EXPECT_EQ(result.measured.wall, 56us);
    EXPECT_EQ(result.measured.device, 51us);
}

TEST(Extract, region_ends_with_the_device_where_nothing_is_waited_for) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).taking(20us)).call("cudaEventCreate", 1us);
    const auto result = extract_all(trace);
    EXPECT_EQ(result.workload.operations.size(), 1U);
    EXPECT_EQ(result.measured.wall, 25us);
}

TEST(Extract, takes_the_recorders_share_out_of_each_call) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(5us))
        .issue(kernel("b").call_taking(2us))
        .synchronise_device();
    const auto result = extract_all(trace);
    EXPECT_EQ(result.workload.operations[0].call_cost, 4us);  // 5 traced, 1 of them the recorder's
    EXPECT_EQ(result.workload.operations[1].call_cost, 1us);
    EXPECT_EQ(result.workload.operations[2].call_cost, 300ns);  // the wait itself does not count
}

TEST(Extract, never_makes_a_call_cheaper_than_half_its_nominal_cost) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(1100ns));
    EXPECT_EQ(extract_all(trace).workload.operations[0].call_cost, 500ns);
}

TEST(Extract, gives_a_call_that_waits_its_nominal_cost) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).blocking().taking(30us))
        .issue(h2d(mib(1)).pageable().taking(30us))
        .issue(d2h(mib(1)).blocking().taking(30us));
    const auto result = extract_all(trace);
    for (const auto& operation : result.workload.operations) {
        EXPECT_EQ(operation.call_cost, 1us);
    }
    EXPECT_FALSE(std::get<Copy>(result.workload.operations[0].action).asynchronous);
    EXPECT_EQ(std::get<Copy>(result.workload.operations[1].action).source, MemoryKind::pageable);
}

TEST(Extract, host_time_is_the_gap_since_the_threads_previous_call) {
    TraceBuilder trace;
    trace.host_time(40us).issue(h2d(mib(1))).host_time(7us).issue(kernel("a"));
    const auto result = extract_all(trace);
    EXPECT_EQ(result.workload.operations[0].host_before, 0us);
    EXPECT_EQ(result.workload.operations[1].host_before, 7us);
}

TEST(Extract, calls_without_meaning_for_the_device_are_host_time) {
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

TEST(Extract, what_the_recorder_did_between_two_calls_is_not_host_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)));
    trace.overhead(OverheadKind::buffer_request, trace.now() + 1us, 6us);
    trace.host_time(10us).issue(kernel("a"));
    EXPECT_EQ(extract_all(trace).workload.operations[1].host_before, 4us);
}

TEST(Extract, a_call_held_up_by_a_full_launch_queue_costs_the_nominal_time) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)));
    trace.overhead(OverheadKind::command_buffer_full, trace.now() + 1us, 80us);
    trace.issue(kernel("a").call_taking(90us));
    EXPECT_EQ(extract_all(trace).workload.operations[1].call_cost, 1us);
}

TEST(Extract, the_outer_of_two_nested_calls_counts) {
    TraceBuilder trace;
    trace.issue(kernel("a").call_taking(4us)).inner_call("cuLaunchKernel").synchronise_device();
    const auto result = extract_all(trace);
    ASSERT_EQ(result.workload.operations.size(), 2U);
    EXPECT_EQ(result.workload.names[result.workload.operations[0].name], "cudaLaunchKernel");
}

TEST(Extract, a_loop_of_polls_is_one_wait) {
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

TEST(Extract, a_wait_names_the_very_recording_that_it_waits_for) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).on(13))
        .record_event(1, 13)
        .wait_event(14, 1)
        .issue(kernel("a").on(14))
        .record_event(1, 14)
        .synchronise_event(1);
    const auto result = extract_all(trace);
    const auto& operations = result.workload.operations;
    ASSERT_EQ(operations.size(), 6U);
    EXPECT_EQ(result.workload.events, 2U);
    EXPECT_EQ(std::get<EventWait>(operations[2].action).event, EventIndex{0});
    EXPECT_EQ(operations[2].stream, operations[3].stream);
    EXPECT_EQ(std::get<SynchroniseEvent>(operations[5].action).event, EventIndex{1});
}

TEST(Extract, knows_the_kinds_of_streams) {
    TraceBuilder trace;
    trace.stream(13, StreamFlag::non_blocking, -5)
        .stream(14, StreamFlag::blocking)
        .issue(kernel("a").on(7))
        .issue(kernel("a").on(13))
        .issue(kernel("a").on(14));
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.streams.size(), 3U);
    EXPECT_EQ(workload.streams[0].kind, StreamKind::legacy_default);
    EXPECT_EQ(workload.streams[1].kind, StreamKind::non_blocking);
    EXPECT_EQ(workload.streams[1].priority, -5);
    EXPECT_EQ(workload.streams[2].kind, StreamKind::blocking);
}

TEST(Extract, stays_inside_the_recorded_range_and_calls_it_warm) {
    TraceBuilder trace;
    trace.issue(kernel("warm-up")).synchronise_device();
    trace.host_time(10us);
    const auto begin = TraceTime{trace.now()};
    trace.issue(kernel("a")).synchronise_device();
    trace.trace().recorded_ranges.push_back({begin, TraceTime{trace.now()}});
    trace.trace().range = "profiler-api";
    const auto workload = extract_all(trace).workload;
    EXPECT_EQ(workload.operations.size(), 2U);
    EXPECT_TRUE(workload.warm);
}

TEST(Extract, takes_the_nvtx_range_that_was_asked_for) {
    TraceBuilder trace;
    trace.issue(kernel("before")).range("solve", [](TraceBuilder& inside) {
        inside.issue(kernel("a")).issue(kernel("b")).synchronise_device();
    });
    ExtractOptions options;
    options.range = "nvtx:solve";
    EXPECT_EQ(extract(trace.build(), round_cost(), options).workload.operations.size(), 3U);
    options.range = "nvtx:other";
    EXPECT_THROW(extract(trace.build(), round_cost(), options), UsageError);
}

TEST(Extract, gives_activities_without_a_call_a_nominal_one) {
    TraceBuilder trace;
    trace.issue(kernel("lost").without_call()).issue(kernel("a")).synchronise_device();
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.operations.size(), 3U);
    EXPECT_EQ(workload.operations[0].call_cost, 1us);
    EXPECT_TRUE(warns(workload.warnings, "missing-call"));
}

TEST(Extract, keeps_the_most_device_memory_that_was_held_at_one_time) {
    TraceBuilder trace;
    trace.allocate(0x1000, mib(3)).allocate(0x2000, mib(4)).release(0x1000, mib(3));
    trace.allocate(0x3000, mib(2)).issue(kernel("a"));
    EXPECT_EQ(extract_all(trace).workload.device_bytes, mib(7));
}

TEST(Extract, kernels_of_a_graph_belong_to_its_launch) {
    TraceBuilder trace;
    trace.issue(kernel("a").through("cudaGraphLaunch").of_graph_node(1))
        .also(kernel("b").of_graph_node(2))
        .synchronise_device();
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.operations.size(), 3U);
    EXPECT_EQ(workload.operations[1].call_cost, 0us);
    EXPECT_TRUE(warns(workload.warnings, "cuda-graph"));
}

TEST(Extract, measures_gaps_only_where_the_host_was_ahead) {
    TraceBuilder trace;
    // Issued while the copy runs: gap 1 us less 0.2 for the recorder.
    trace.issue(h2d(mib(1)).taking(50us)).issue(kernel("a").taking(20us));
    trace.synchronise_device();
    // Issued after the kernel had ended: the host made this gap.
    trace.issue(d2h(mib(1)).taking(20us)).synchronise_device();
    const auto overheads = extract_all(trace).overheads;
    ASSERT_TRUE(overheads[GapKind::h2d_to_kernel].has_value());
    EXPECT_EQ(overheads[GapKind::h2d_to_kernel]->median, 800ns);
    EXPECT_EQ(overheads[GapKind::h2d_to_kernel]->count, 1U);
    EXPECT_FALSE(overheads[GapKind::kernel_to_d2h].has_value());
}

TEST(Extract, refuses_a_trace_without_device_work) {
    TraceBuilder trace;
    trace.call("cudaMalloc", 1us);
    EXPECT_THROW(extract_all(trace), Error);
}

}  // namespace
}  // namespace overcast
