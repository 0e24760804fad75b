#include "workload/extract.hpp"

#include "core/error.hpp"
#include "tests/support/extraction.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

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

TEST(Extract, calls_an_nvtx_range_warm_where_the_recorded_range_around_it_is) {
    TraceBuilder trace;
    const auto solve = [](TraceBuilder& inside) { inside.issue(kernel("a")).synchronise_device(); };
    trace.range("outside", solve);
    const auto begin = TraceTime{trace.now()};
    trace.range("inside", solve);
    trace.trace().recorded_ranges.push_back({begin, TraceTime{trace.now()}});
    trace.trace().range = "profiler-api";
    ExtractOptions options;
    options.range = "nvtx:inside";
    EXPECT_TRUE(extract(trace.build(), round_cost(), options).workload.warm);
    options.range = "nvtx:outside";
    EXPECT_FALSE(extract(trace.build(), round_cost(), options).workload.warm);
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

TEST(Extract, knows_what_kernels_go_round_unless_copies_fill_it) {
    constexpr std::uint64_t kFirst = 32 << 20;
    TraceBuilder kernels_only;
    kernels_only.allocate(kFirst, mib(40)).allocate(2 * kFirst + (40 << 20), mib(4));
    kernels_only.release(2 * kFirst + (40 << 20), mib(4));
    kernels_only.issue(kernel("a")).issue(h2d(mib(1))).issue(kernel("a"));
    const auto round = extract_all(kernels_only).workload.round;
    ASSERT_TRUE(round);
    EXPECT_EQ(round->recorded, mib(40));
    EXPECT_EQ(round->now, mib(40));
    TraceBuilder filled;
    filled.allocate(kFirst, mib(40)).issue(h2d(mib(3))).issue(kernel("a"));
    EXPECT_FALSE(extract_all(filled).workload.round);
    TraceBuilder unknown;
    unknown.issue(kernel("a"));
    EXPECT_FALSE(extract_all(unknown).workload.round);
}

TEST(Extract, counts_more_of_what_kernels_go_round_where_it_lies_unevenly_in_its_pages) {
    constexpr std::uint64_t kPage = 2 << 20;
    TraceBuilder uneven;
    TraceBuilder even;
    for (std::uint64_t i = 1; i <= 4; ++i) {
        uneven.allocate(i * kPage, mib(1));
        even.allocate(i * kPage + i % 2 * kPage / 2, mib(1));
    }
    uneven.issue(kernel("a"));
    even.issue(kernel("a"));
    // One half of each page twice as much as the mean: 4 (1 + 2) / 2.
    EXPECT_EQ(extract_all(uneven).workload.round->recorded, mib(6));
    EXPECT_EQ(extract_all(even).workload.round->recorded, mib(4));
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

TEST(Extract, joins_the_waits_of_a_pytorch_trace_to_the_recording_call) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).on(13)).record_event(1, 13).wait_event(14, 1);
    trace.issue(kernel("a").on(14));
    auto& recorded = trace.trace();
    auto& wait = recorded.synchronisations.front();
    wait.event_sync.reset();
    wait.record_correlation = recorded.event_recordings.front().correlation;
    wait.record_stream = StreamId{13};
    recorded.event_recordings.clear();
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.operations.size(), 4U);
    EXPECT_TRUE(std::holds_alternative<EventRecord>(workload.operations[1].action));
    EXPECT_EQ(workload.operations[1].stream, workload.operations[0].stream);
    EXPECT_TRUE(std::holds_alternative<EventWait>(workload.operations[2].action));
}

TEST(Extract, a_wait_for_an_event_of_before_the_region_is_over_at_once) {
    TraceBuilder trace;
    trace.record_event(1, 13).issue(h2d(mib(1)).on(14)).wait_event(14, 1);
    trace.issue(kernel("a").on(14)).synchronise_event(1).synchronise_device();
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.operations.size(), 5U);
    EXPECT_TRUE(std::holds_alternative<HostCall>(workload.operations[1].action));
    EXPECT_TRUE(std::holds_alternative<HostCall>(workload.operations[3].action));
}

TEST(Extract, takes_the_device_with_the_most_work_unless_told) {
    TraceBuilder trace;
    trace.issue(kernel("small").taking(10us)).issue(kernel("large").taking(90us));
    trace.trace().activities.front().device = DeviceId{3};
    const auto chosen = extract_all(trace);
    EXPECT_TRUE(warns(chosen.workload.warnings, "several-devices"));
    ASSERT_EQ(chosen.workload.operations.size(), 1U);
    EXPECT_EQ(chosen.workload.names[chosen.workload.kernels[0].name], "large");

    ExtractOptions options;
    options.device = DeviceId{3};
    const auto told = extract(trace.build(), round_cost(), options).workload;
    EXPECT_EQ(told.names[told.kernels[0].name], "small");
    EXPECT_EQ(told.device.id, DeviceId{3});
    options.device = DeviceId{5};
    EXPECT_THROW(extract(trace.build(), round_cost(), options), UsageError);
}

TEST(Extract, takes_the_process_with_the_most_work_unless_told) {
    TraceBuilder trace;
    trace.issue(kernel("small").taking(10us)).issue(kernel("large").taking(90us));
    trace.trace().api_calls.front().process = ProcessId{11};
    trace.trace().api_calls.back().process = ProcessId{22};
    const auto chosen = extract_all(trace).workload;
    EXPECT_TRUE(warns(chosen.warnings, "several-processes"));
    EXPECT_EQ(chosen.names[chosen.kernels[0].name], "large");
    ExtractOptions options;
    options.process = ProcessId{11};
    const auto told = extract(trace.build(), round_cost(), options).workload;
    EXPECT_EQ(told.names[told.kernels[0].name], "small");
}

TEST(Extract, gives_a_kernel_its_code_unless_that_is_to_be_ignored) {
    TraceBuilder trace;
    trace.issue(kernel("scale").taking(10us)).issue(kernel("other").taking(10us));
    KernelCode code;
    code.name = trace.trace().names.intern("scale");
    code.instructions = 131;
    trace.trace().code.push_back(code);
    const auto with = extract_all(trace).workload;
    ASSERT_EQ(with.kernels.size(), 2U);
    ASSERT_TRUE(with.kernels[0].code);
    EXPECT_EQ(with.kernels[0].code->instructions, 131);
    EXPECT_FALSE(with.kernels[1].code);
    ExtractOptions options;
    options.ignore_code = true;
    EXPECT_FALSE(extract(trace.build(), round_cost(), options).workload.kernels[0].code);
}

TEST(Extract, a_memset_waits_only_if_it_was_seen_to) {
    TraceBuilder trace;
    trace.issue(kernel("long").taking(90us));
    // Through cudaMemset, which returned long before the kernel in front of it had ended.
    trace.issue(memset(mib(1)).through("cudaMemset").call_taking(3us));
    std::get<TracedMemset>(trace.trace().activities.back().what).asynchronous = false;
    const auto workload = extract_all(trace).workload;
    EXPECT_TRUE(std::get<Memset>(workload.operations[1].action).asynchronous);
    EXPECT_EQ(workload.operations[1].call_cost, 2us);
}

TEST(Extract, buffers_are_the_addresses_that_copies_touch) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).from(0xF0).to(0xA0)).issue(d2h(mib(2)).from(0xA0).to(0xF8));
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.buffers.size(), 3U);
    const auto& in = std::get<Copy>(workload.operations[0].action);
    const auto& out = std::get<Copy>(workload.operations[1].action);
    EXPECT_EQ(in.destination_buffer, out.source_buffer);
    EXPECT_EQ(workload.buffers[index(*out.source_buffer)].bytes, mib(2));
    EXPECT_EQ(workload.buffers[index(*in.source_buffer)].kind, MemoryKind::pinned);
}

TEST(Extract, named_ranges_become_stretches_of_operations) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).range("solve", [](TraceBuilder& inside) {
        inside.issue(kernel("a")).issue(kernel("b"));
    });
    trace.range("empty", [](TraceBuilder& inside) { inside.host_time(1us); });
    const auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.ranges.size(), 1U);
    EXPECT_EQ(workload.names[workload.ranges[0].name], "solve");
    EXPECT_EQ(workload.ranges[0].begin, 1U);
    EXPECT_EQ(workload.ranges[0].end, 3U);
}

TEST(Extract, reads_the_number_of_connections_from_the_environment) {
    TraceBuilder trace;
    trace.issue(kernel("a"));
    trace.trace().environment["CUDA_DEVICE_MAX_CONNECTIONS"] = "4";
    EXPECT_EQ(extract_all(trace).workload.max_connections, 4U);
    trace.trace().environment["CUDA_DEVICE_MAX_CONNECTIONS"] = "many";
    EXPECT_FALSE(extract_all(trace).workload.max_connections.has_value());
}

TEST(Extract, says_what_is_not_modelled) {
    TraceBuilder trace;
    trace.issue(copy_of(CopyKind::host_to_device, MemoryKind::managed, MemoryKind::device, mib(1)));
    trace.issue(copy_of(CopyKind::peer_to_peer, MemoryKind::device, MemoryKind::device, mib(1)));
    trace.issue(kernel("a"));
    trace.trace().activities.back().context = ContextId{2};
    trace.trace().environment["CUDA_LAUNCH_BLOCKING"] = "1";
    const auto warnings = extract_all(trace).workload.warnings;
    for (const auto* code :
         {"managed-memory", "peer-copy", "several-contexts", "launch-blocking"}) {
        EXPECT_TRUE(warns(warnings, code)) << code;
    }
}

TEST(Extract, overhead_spread_is_the_tenth_and_ninetieth_percentile) {
    TraceBuilder trace;
    // Eleven kernels, all issued during the first; gaps of 1.2 to 10.2 us, 0.2 of each the
    // recorder's: ten values 1, 2, … 10 us, whose nearest ranks are 1, 5 and 9.
    auto start = 100us + 0ns;
    trace.issue(kernel("k").starting_at(start).taking(100us));
    start += 100us;
    for (int gap = 1; gap <= 10; ++gap) {
        start += gap * 1us + 200ns;
        trace.issue(kernel("k").starting_at(start).taking(100us));
        start += 100us;
    }
    const auto gaps = extract_all(trace).overheads[GapKind::kernel_to_kernel];
    ASSERT_TRUE(gaps.has_value());
    EXPECT_EQ(gaps->count, 10U);
    EXPECT_EQ(gaps->p10, 1us);
    EXPECT_EQ(gaps->median, 5us);
    EXPECT_EQ(gaps->p90, 9us);
}

TEST(Extract, a_gap_no_longer_than_what_recording_adds_to_it_is_not_told) {
    TraceBuilder trace;
    // 0.1 us between kernels, of which the recorder would add 0.2.
    trace.issue(kernel("a").starting_at(100us).taking(100us));
    trace.issue(kernel("b").starting_at(200us + 100ns).taking(100us));
    EXPECT_FALSE(extract_all(trace).overheads[GapKind::kernel_to_kernel].has_value());
}

TEST(Extract, measured_times_are_those_of_the_trace) {
    TraceBuilder trace;
    trace.host_time(30us).issue(h2d(mib(1)).taking(20us).on_channel(11, ChannelType::copy));
    trace.issue(h2d(Bytes{64}).taking(2us).on_channel(3, ChannelType::compute));
    const auto measured = extract_all(trace).measured;
    ASSERT_EQ(measured.entries.size(), 2U);
    EXPECT_EQ(measured.entries[0].call_start, TimelineTime{0us});
    EXPECT_EQ(measured.entries[0].device_start, TimelineTime{5us});
    EXPECT_EQ(measured.entries[0].device_end, TimelineTime{25us});
    EXPECT_EQ(measured.entries[0].engine, Engine::h2d);
    EXPECT_EQ(measured.entries[0].channel, ChannelId{11});
    EXPECT_EQ(measured.entries[1].engine, Engine::sm);  // small copies travel with the kernels
}

TEST(Extract, refuses_a_trace_without_device_work) {
    TraceBuilder trace;
    trace.call("cudaMalloc", 1us);
    EXPECT_THROW(extract_all(trace), Error);
}

}  // namespace
}  // namespace overcast
