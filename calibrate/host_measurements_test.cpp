// What calls cost on the host.
#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

TEST(MeasureHostCalls, scales_launches_and_copies_to_what_they_cost_together) {
    // 3000 + 1000 + 1000 apart, 6000 together: all 1.2 times.
    const std::string text =
        "sample call_kernel_launch 96 3000\nsample call_copy_h2d 96 1000\n"
        "sample call_copy_d2h 96 1000\nsample call_unit_of_three 96 6000\n"
        "sample call_memset 96 2000\nsample call_event_record 96 100\n"
        "sample call_event_wait 96 110\nsample call_synchronise 96 200\n"
        "sample call_host_function 96 400\nsample call_query 96 150\n";
    const auto model = Runs{}
                           .untraced("host_calls", text)
                           .printed("host_calls", ProbeMode::full, text)
                           .printed("host_calls", ProbeMode::light, text)
                           .printed("host_calls", ProbeMode::minimal, text)
                           .draft_after(measure_host_calls)
                           .model;
    EXPECT_EQ(model.tracing_cost.untraced.kernel_launch, 3600ns);
    EXPECT_EQ(model.tracing_cost.untraced.copy, 1200ns);
    EXPECT_EQ(model.tracing_cost.traced.calls.memset, 2000ns);
    EXPECT_EQ(model.light_tracing.calls.event_record, 100ns);
    EXPECT_EQ(model.minimal_tracing.calls.other, 150ns);
}

TEST(MeasureStreamChanges, takes_calls_over_one_stream_from_those_over_many) {
    const std::string text =
        "sample call_kernel_launch_of 1 3100\nsample call_kernel_launch_of 32 3300\n"
        "sample call_h2d_of 1 1100\nsample call_h2d_of 4 1240\nsample call_h2d_of 8 1140\n"
        "sample call_d2h_of 1 1000\nsample call_d2h_of 4 1160\nsample call_d2h_of 8 1060\n";
    const auto model =
        Runs{}.untraced("stream_changes", text).draft_after(measure_stream_changes).model;
    EXPECT_EQ(model.host.kernel_stream_change_ns.linear(32), 200);
    EXPECT_EQ(model.host.copy_stream_change_ns.linear(1), 0);
    EXPECT_EQ(model.host.copy_stream_change_ns.linear(8), 100);  // more streams: never less
    EXPECT_THROW(Runs{}.untraced("stream_changes", "").draft_after(measure_stream_changes),
                 ProbeDidNotRun);
}

TEST(MeasureCallsBesideCopies, takes_calls_beside_nothing_from_those_beside_copies_to_the_device) {
    const std::string text =
        "sample call_kernel_launch_beside 0 3300\nsample call_kernel_launch_beside 1 3900\n"
        "sample call_kernel_launch_beside 2 3310\nsample call_memset_beside 0 3200\n"
        "sample call_memset_beside 1 3700\nsample call_h2d_beside 0 1300\n"
        "sample call_h2d_beside 1 1300\n";
    const auto model =
        Runs{}.untraced("calls_beside_copies", text).draft_after(measure_calls_beside_copies).model;
    EXPECT_EQ(model.host.kernel_call_beside_h2d, 550ns);
    EXPECT_THROW(
        Runs{}.untraced("calls_beside_copies", "").draft_after(measure_calls_beside_copies),
        ProbeDidNotRun);
}

/// Three times one operation, `taken` long.
Phase alone(const std::string& quantity, ActivityKind kind, std::uint64_t bytes, Duration taken) {
    return phase(quantity, static_cast<double>(bytes), 0,
                 std::vector<Slot>(3, {kind, 10us, 10us + taken, bytes}));
}

TEST(MeasureHostWaits, takes_starts_from_what_calls_work_and_wake_up_leave_of_the_wall_time) {
    auto runs = Runs{}
                    .untraced("host_waits",
                              "sample flag_round_trip 0 1000\nsample launch_to_flag 0 3000\n"
                              "sample flag_to_return 0 2000\n")
                    .untraced("copies",
                              "sample wall_h2d 65536 9000\nsample call_h2d 65536 1800\n"
                              "sample wall_d2h 65536 9400\nsample call_d2h 65536 2000\n")
                    .traced("copies", {alone("h2d", ActivityKind::h2d, 65536, 4us),
                                       alone("d2h", ActivityKind::d2h, 65536, 4us),
                                       alone("h2d", ActivityKind::h2d, 1 << 23, 400us)});
    runs.draft_after([](const ProbeRuns& of, Draft& into) {
        const auto before = into.model.host.memset_start_latency;
        EXPECT_THROW(measure_host_waits(of, into), ProbeDidNotRun);
        EXPECT_EQ(into.model.host.memset_start_latency, before);
    });
    const auto draft =
        runs.untraced("device_copies",
                      "sample wall_memset 65536 7000\nsample call_memset 65536 3000\n")
            .traced("device_copies", {alone("d2d", ActivityKind::d2d, 65536, 1us),
                                      alone("memset", ActivityKind::memset, 65536, 1us)})
            .draft_after(measure_host_waits);
    EXPECT_EQ(draft.model.host.kernel_start_latency, 2500ns);
    EXPECT_EQ(draft.model.host.copy_start_latency, 1300ns);  // 1.2 and 1.4 us
    EXPECT_EQ(draft.model.host.memset_start_latency, 1us);
}

/// Of each of the functions three calls of 1 us in a row, the last much later.
std::shared_ptr<const Trace> calls_in_a_row(Duration between) {
    auto trace = std::make_shared<Trace>();
    TraceTime now{};
    for (const char* function :
         {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemsetAsync", "cudaEventRecord",
          "cudaStreamWaitEvent", "cudaStreamQuery", "cudaLaunchHostFunc"}) {
        const auto name = trace->names.intern(function);
        for (const auto pause : {between, between, Duration{50us}}) {
            ApiCall call;
            call.start = now;
            call.end = now + 1us;
            call.name = name;
            trace->api_calls.push_back(call);
            now = call.end + pause;
        }
    }
    return trace;
}

TEST(MeasureTimeBetweenCalls, is_what_passes_between_calls_of_one_kind) {
    const auto model = Runs{}
                           .recorded("host_calls", ProbeMode::full, calls_in_a_row(500ns))
                           .recorded("host_calls", ProbeMode::light, calls_in_a_row(300ns))
                           .recorded("host_calls", ProbeMode::minimal, calls_in_a_row(200ns))
                           .draft_after(measure_time_between_calls)
                           .model;
    EXPECT_EQ(model.tracing_cost.traced.between.kernel_launch, 500ns);
    EXPECT_EQ(model.tracing_cost.traced.between.synchronise, 500ns);
    EXPECT_EQ(model.light_tracing.between.copy, 300ns);
    EXPECT_EQ(model.minimal_tracing.between.copy, 200ns);
    EXPECT_THROW(Runs{}
                     .recorded("host_calls", ProbeMode::full, std::make_shared<Trace>())
                     .recorded("host_calls", ProbeMode::light, std::make_shared<Trace>())
                     .recorded("host_calls", ProbeMode::minimal, std::make_shared<Trace>())
                     .draft_after(measure_time_between_calls),
                 ModelFileError);
    EXPECT_THROW(Runs{}  // --quick: run, but not read
                     .recorded("host_calls", ProbeMode::full, nullptr)
                     .recorded("host_calls", ProbeMode::light, nullptr)
                     .recorded("host_calls", ProbeMode::minimal, nullptr)
                     .draft_after(measure_time_between_calls),
                 ProbeDidNotRun);
}

}  // namespace
}  // namespace overcast
