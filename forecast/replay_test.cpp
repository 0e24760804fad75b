#include "forecast/replay.hpp"

#include "forecast/comparison.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

DeviceModel model_of_two_sms() { return test::round_model(); }

Replay played(const Trace& trace) { return replay(trace, model_of_two_sms(), {}); }

double off(Duration recorded, Duration replayed) {
    return std::abs(static_cast<double>((replayed - recorded).count())) /
           static_cast<double>(recorded.count());
}

// Stream 8 waits for an event of stream 7: 100 us of copy, then its kernel.
TEST(Replay, keeps_streams_and_events) {
    TraceBuilder trace;
    trace.stream(7, StreamFlag::non_blocking).stream(8, StreamFlag::non_blocking);
    trace.issue(h2d(kib(100)).on(7).taking(100us))
        .record_event(1, 7)
        .wait_event(8, 1)
        .issue(kernel("late").on(8).grid(2).block(1024).taking(50us))
        .issue(kernel("free").on(7).grid(2).block(1024).taking(10us))
        .synchronise_device();
    const auto result = played(trace.build());
    const auto& entries = result.replayed.entries;
    EXPECT_EQ(result.workload.streams.size(), 2U);
    EXPECT_GE(entries[3].device_start, entries[0].device_end);
    EXPECT_LT(off(result.recorded.wall, result.replayed.wall), 0.05);
}

// Three waits: each recorded 5 us after the end of its kernel, but the second call was held up by
// something else for 3 ms. A replay that copied waits would give those 3 ms back.
TEST(Replay, simulates_waits_and_never_copies_them) {
    TraceBuilder trace;
    for (int i = 0; i < 3; ++i) {
        trace.issue(kernel("a").grid(2).block(1024).taking(200us)).synchronise_stream(7);
        auto& wait = trace.trace().api_calls.back();
        const auto late = i == 1 ? 3ms : 5us;
        wait.end += late;
        trace.host_time(late);
    }
    const auto result = played(trace.build());
    const auto waited = [](const TimelineEntry& entry) {
        return entry.call_end - entry.call_start;
    };
    EXPECT_GT(waited(result.recorded.entries[3]), 3ms);
    EXPECT_LT(waited(result.replayed.entries[3]), 250us);
    EXPECT_LT(off(waited(result.recorded.entries[1]), waited(result.replayed.entries[1])), 0.1);
}

TEST(Replay, keeps_several_host_threads_with_their_own_time) {
    TraceBuilder trace;
    trace.stream(8, StreamFlag::non_blocking).stream(9, StreamFlag::non_blocking);
    trace.on_thread(1).issue(h2d(kib(10)).on(8).taking(10us)).host_time(500us);
    trace.issue(h2d(kib(10)).on(8).taking(10us)).synchronise_stream(8);
    trace.on_thread(2).host_time(200us).issue(d2h(kib(10)).on(9).taking(10us));
    trace.synchronise_stream(9);
    const auto result = played(trace.build());
    ASSERT_EQ(result.workload.threads, 2U);
    for (std::size_t i = 0; i < result.recorded.entries.size(); ++i) {
        EXPECT_LT(std::chrono::abs(result.recorded.entries[i].call_start -
                                   result.replayed.entries[i].call_start),
                  10us)
            << i;
    }
}

TEST(Replay, keeps_the_legacy_default_stream_between_the_others) {
    TraceBuilder trace;  // its stream 7 is the default stream
    trace.stream(8, StreamFlag::blocking);
    trace.issue(kernel("a").on(8).grid(1).block(32).taking(100us))
        .issue(kernel("b").on(7).grid(1).block(32).starting_at(106us).taking(100us))
        .issue(kernel("c").on(8).grid(1).block(32).starting_at(207us).taking(100us))
        .synchronise_device();
    const auto& entries = played(trace.build()).replayed.entries;
    EXPECT_GE(entries[1].device_start, entries[0].device_end);
    EXPECT_GE(entries[2].device_start, entries[1].device_end);
}

TEST(Replay, holds_the_host_in_calls_that_block) {
    TraceBuilder trace;
    trace.issue(kernel("a").grid(2).block(1024).taking(300us))
        .issue(d2h(kib(100)).blocking().taking(100us))
        .issue(kernel("b").grid(2).block(1024).taking(300us))
        .call("cudaFree", 340us)
        .issue(kernel("c").grid(2).block(1024).taking(10us))
        .synchronise_device();
    const auto result = played(trace.build());
    for (const std::size_t i : {1U, 3U}) {
        const auto& recorded = result.recorded.entries[i];
        const auto& replayed = result.replayed.entries[i];
        EXPECT_LT(
            off(recorded.call_end - recorded.call_start, replayed.call_end - replayed.call_start),
            0.1)
            << i;
    }
}

// A queue of four: the fifth launch waits until the first kernel has its blocks placed and left it,
// and so on. The recorder said how long each launch stood before the full queue.
TEST(Replay, finds_out_how_long_a_full_launch_queue_holds_the_host) {
    TraceBuilder trace;
    for (int i = 0; i < 12; ++i) {
        const bool full = i >= 5;
        if (full) {
            trace.overhead(OverheadKind::command_buffer_full, trace.now() + 1us, 100us);
        }
        trace.issue(kernel("a").grid(2).block(2048).taking(99us).call_taking(full ? 101us : 2us));
    }
    auto model = model_of_two_sms();
    model.channels.queue_depth = 4;
    const auto result = replay(trace.synchronise_device().build(), model, {});
    const auto comparison = compare({result.workload, result.recorded, "recorded", ""},
                                    {result.workload, result.replayed, "replayed", ""});
    ASSERT_TRUE(comparison.held_up_launches);
    EXPECT_GE(comparison.held_up_launches->operations, 7U);
    EXPECT_LT(comparison.held_up_launches->median, 0.05);
}

// A device whose kernel takes less than the model's launch floor shows that its floor is lower.
TEST(FittedTo, no_kernel_is_shorter_than_the_floor) {
    TraceBuilder trace;
    trace.issue(kernel("a").taking(1us)).synchronise_device();
    auto model = test::round_model();
    model.kernels.floor = 3us;
    const auto recording = recorded_run(trace.build(), model, {});
    EXPECT_EQ(fitted_to(model, recording).kernels.floor, 1us);
}

}  // namespace
}  // namespace overcast
