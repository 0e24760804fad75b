#include "tracer/launcher/spool_to_trace.hpp"

#include "tracer/launcher/spool_for_tests.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TraceTime moment(std::int64_t ns) { return TraceTime{Duration{ns}}; }

class SpoolToTrace : public ::testing::Test {
protected:
    SpooledProcess read() { return read_spool(spool_.write()); }
    Trace trace() { return read().trace; }

    SpoolForTests spool_{
        std::filesystem::path(::testing::TempDir()) /
        (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
         ".trace.spool")};
};

TEST_F(SpoolToTrace, says_what_was_run_and_when) {
    spool_.add(spool::Information{"command", "./app 1 2"})
        .add(spool::Information{"env:CUDA_DEVICE_MAX_CONNECTIONS", "32"})
        .end();
    const auto process = read();
    EXPECT_EQ(process.process, 4'711U);
    EXPECT_EQ(process.trace.program, "./app 1 2");
    EXPECT_EQ(process.trace.environment.at("CUDA_DEVICE_MAX_CONNECTIONS"), "32");
    EXPECT_EQ(process.trace.date, "2023-11-14T22:13:20Z");  // 1,700,000,000 s after 1970
}

TEST_F(SpoolToTrace, gives_what_the_code_says_to_the_kernel_of_that_name) {
    KernelCode code;
    code.instructions = 131;
    code.cycles = 146;
    code.memory_waits = 2;
    code.global_bytes = 512;
    code.barriers = 3;
    code[CodeUnit::alu_pipe] = 64;
    code[CodeUnit::l1] = 0.5;
    code.pass = {{.unit = PassUnit::global, .stall = 2, .words = 4, .result = 0, .operands = 1},
                 {.unit = PassUnit::none, .stall = 5, .waits_for = 1}};
    code.start = {{.unit = PassUnit::alu, .stall = 4}};
    code.end = {{.unit = PassUnit::global, .stall = 1}, {.unit = PassUnit::none, .stall = 5}};
    spool_.kernel("_Z5scalePfi", 1, 10, 20);
    const auto name = spool_.text("_Z5scalePfi");
    auto record = spool::Code::from(code);
    record.name = name;
    record.pass = spool_.text(to_text(code.pass));
    record.start = spool_.text(to_text(code.start));
    record.end = spool_.text(to_text(code.end));
    spool_.add(record).end();
    const auto result = trace();
    ASSERT_EQ(result.code.size(), 1U);
    code.name = std::get<TracedKernel>(result.activities.front().what).name;
    EXPECT_EQ(result.code[0], code);
}

TEST_F(SpoolToTrace, a_pass_that_no_text_came_with_is_not_known) {
    spool_.kernel("f", 1, 10, 20);
    const auto name = spool_.text("f");
    const auto other = spool_.text("no pass");
    for (const auto pass : {0U, other, other + 1}) {
        auto record = spool::Code::from(KernelCode{});
        record.name = name;
        record.pass = pass;
        record.start = pass;
        spool_.add(record);
    }
    spool_.end();
    const auto result = trace();
    ASSERT_EQ(result.code.size(), 3U);
    for (const auto& code : result.code) {
        EXPECT_TRUE(code.pass.empty());
        EXPECT_TRUE(code.start.empty());
    }
}

TEST_F(SpoolToTrace, demangles_kernels_and_leaves_other_names) {
    spool_.kernel("_Z5scalePfi", 1, 10, 20).kernel("f", 2, 30, 40).end();
    const auto result = trace();
    ASSERT_EQ(result.activities.size(), 2U);
    const auto name = [&](std::size_t i) {
        return result.names[std::get<TracedKernel>(result.activities[i].what).name];
    };
    EXPECT_EQ(name(0), "scale(float*, int)");
    EXPECT_EQ(name(1), "f");  // a C function, not the mangled type "float"
}

TEST_F(SpoolToTrace, a_number_of_a_text_that_is_far_off_takes_no_memory) {
    spool::Api call;
    call.name = 4'000'000'000;
    call.start = 10;
    call.end = 20;
    spool_.add(spool::Text{4'000'000'000, "cudaFree"}).add(call).end();
    const auto result = trace();
    ASSERT_EQ(result.api_calls.size(), 1U);
    EXPECT_EQ(result.names[result.api_calls[0].name], "cudaFree");
}

TEST_F(SpoolToTrace, leaves_out_and_counts_what_no_clock_could_have_shown) {
    spool_.kernel("f", 1, std::uint64_t{1} << 63U, 20).kernel("g", 2, 30, 40).end();
    const auto result = trace();
    ASSERT_EQ(result.activities.size(), 1U);
    EXPECT_EQ(result.activities[0].correlation, CorrelationId{2});
    EXPECT_EQ(result.quality.zero_timestamps, 1U);
}

TEST_F(SpoolToTrace, puts_activities_in_the_order_of_their_starts) {
    spool_.kernel("b", 2, 30, 40).kernel("a", 1, 10, 50).end();
    const auto result = trace();
    ASSERT_EQ(result.activities.size(), 2U);
    EXPECT_EQ(result.activities[0].start, moment(10));
    EXPECT_EQ(result.activities[1].start, moment(30));
}

TEST_F(SpoolToTrace, keeps_absent_things_absent) {
    spool_.kernel("a", 1, 10, 20).end();
    const auto result = trace();
    const auto& activity = result.activities.at(0);
    EXPECT_FALSE(activity.channel);
    EXPECT_FALSE(activity.queued);
    EXPECT_FALSE(activity.submitted);
    EXPECT_FALSE(activity.graph);
}

TEST_F(SpoolToTrace, gives_a_copy_the_addresses_of_its_call) {
    spool_.copy(7, 10, 20).add(spool::CopyAddresses{0x1000, 0x2000, 7, 0}).copy(8, 30, 40).end();
    const auto result = trace();
    const auto& with = std::get<TracedCopy>(result.activities.at(0).what);
    EXPECT_EQ(with.source_address, Address{0x1000});
    EXPECT_EQ(with.destination_address, Address{0x2000});
    EXPECT_FALSE(std::get<TracedCopy>(result.activities.at(1).what).source_address);
}

TEST_F(SpoolToTrace, drops_the_driver_call_inside_a_runtime_call) {
    spool_.call("cuLaunchKernel", 5, 12, 18, 1).call("cudaLaunchKernel", 5, 10, 20).end();
    const auto result = trace();
    ASSERT_EQ(result.api_calls.size(), 1U);
    EXPECT_EQ(result.names[result.api_calls[0].name], "cudaLaunchKernel");
    EXPECT_EQ(result.api_calls[0].domain, ApiDomain::runtime);
}

TEST_F(SpoolToTrace, hands_the_work_of_a_dropped_driver_call_to_the_runtime_call) {
    // The driver call has a correlation of its own, and its copy's addresses come with that.
    spool_.call("cudaMemcpyAsync", 5, 10, 20)
        .call("cuMemcpyHtoDAsync", 6, 12, 18, 1)
        .copy(6, 100, 200)
        .add(spool::CopyAddresses{0x1000, 0x2000, 6, 0})
        .end();
    const auto result = trace();
    ASSERT_EQ(result.api_calls.size(), 1U);
    EXPECT_EQ(result.activities.at(0).correlation, CorrelationId{5});
    EXPECT_EQ(std::get<TracedCopy>(result.activities.at(0).what).source_address, Address{0x1000});
}

TEST_F(SpoolToTrace, keeps_driver_calls_that_no_runtime_call_made) {
    spool_.call("cudaMemcpyAsync", 1, 10, 20)
        .call("cuLaunchKernel", 2, 21, 25, 1)
        .call("cudaStreamSynchronize", 3, 26, 30)
        .end();
    const auto result = trace();
    ASSERT_EQ(result.api_calls.size(), 3U);
    EXPECT_EQ(result.names[result.api_calls[1].name], "cuLaunchKernel");
    EXPECT_EQ(result.api_calls[1].domain, ApiDomain::driver);
}

TEST_F(SpoolToTrace, does_not_take_another_thread_s_driver_call_for_an_inner_one) {
    spool_.call("cudaStreamSynchronize", 1, 10, 100);
    spool::Api other;
    other.name = spool_.text("cuLaunchKernel");
    other.start = 20;
    other.end = 30;
    other.correlation = 2;
    other.thread = 2;
    other.driver = 1;
    spool_.add(other).end();
    EXPECT_EQ(trace().api_calls.size(), 2U);
}

TEST_F(SpoolToTrace, joins_the_two_ends_of_a_range) {
    const auto name = spool_.text("step");
    spool_.add(spool::Marker{10, 1, spool::MarkerEdge::start, name, 4'711, 31, 0})
        .add(spool::Marker{15, 2, spool::MarkerEdge::start, name, 4'711, 31, 0})
        .add(spool::Marker{20, 2, spool::MarkerEdge::end, 0, 4'711, 31, 0})
        .add(spool::Marker{30, 1, spool::MarkerEdge::end, 0, 4'711, 31, 0})
        .add(spool::Marker{40, 9, spool::MarkerEdge::end, 0, 4'711, 31, 0})  // opened too early
        .end();
    const auto result = trace();
    ASSERT_EQ(result.ranges.size(), 2U);
    EXPECT_EQ(result.names[result.ranges[0].name], "step");
    EXPECT_EQ(result.ranges[0].start, moment(10));
    EXPECT_EQ(result.ranges[0].end, moment(30));
    EXPECT_EQ(result.ranges[1].start, moment(15));
    EXPECT_EQ(result.ranges[1].end, moment(20));
    EXPECT_EQ(result.ranges[0].thread, ThreadId{31});
}

TEST_F(SpoolToTrace, lets_an_open_range_last_until_the_last_call) {
    const auto name = spool_.text("whole program");
    spool_.add(spool::Marker{10, 1, spool::MarkerEdge::start, name, 4'711, 31, 0})
        .call("cudaDeviceSynchronize", 1, 50, 90);
    const auto result = trace();
    ASSERT_EQ(result.ranges.size(), 1U);
    EXPECT_EQ(result.ranges[0].end, moment(90));
}

TEST_F(SpoolToTrace, joins_a_device_with_its_link_and_drops_devices_without_a_context) {
    spool::Device used;
    used.device = 0;
    used.name = spool_.text("NVIDIA H200");
    used.multiprocessors = 132;
    used.memory_bandwidth_kb_per_s = 4'800'000'000;
    used.shared_memory_per_block = 48U << 10U;
    spool::Device idle;
    idle.device = 1;
    spool_.add(used).add(idle).add(spool::Link{0, 5, 16}).add(spool::Context{1, 0, 7, 0}).end();
    const auto result = trace();
    ASSERT_EQ(result.devices.size(), 1U);
    const auto& device = result.devices[0];
    EXPECT_EQ(device.name, "NVIDIA H200");
    EXPECT_EQ(device.multiprocessors, 132U);
    EXPECT_EQ(device.memory_bandwidth_bytes_per_s, 4.8e12);
    EXPECT_FALSE(device.shared_memory_per_block);  // 48 KiB is not the opt-in limit
    EXPECT_EQ(device.pcie_generation, 5U);
    EXPECT_EQ(device.pcie_width, 16U);
    ASSERT_EQ(result.contexts.size(), 1U);
    EXPECT_EQ(result.contexts[0].null_stream, StreamId{7});
}

TEST_F(SpoolToTrace, counts_only_the_recorder_s_own_overhead_as_time_in_cupti) {
    const auto add = [&](OverheadKind kind, std::uint64_t start, std::uint64_t end) {
        spool_.add(spool::Overhead{start, end, 0, static_cast<std::uint32_t>(kind)});
    };
    add(OverheadKind::buffer_flush, 10, 15);
    add(OverheadKind::resource, 20, 27);
    add(OverheadKind::command_buffer_full, 30, 1'000);
    add(OverheadKind::lazy_loading, 30, 1'000);
    spool_.end();
    const auto result = trace();
    EXPECT_EQ(result.overheads.size(), 4U);
    EXPECT_EQ(result.quality.time_in_cupti, Duration{5 + 7});
}

TEST_F(SpoolToTrace, takes_the_last_totals_for_the_quality) {
    spool_.add(spool::Quality{1, 2, 0}).add(spool::Quality{3, 4, 0}).end();
    const auto process = read();
    EXPECT_TRUE(process.closed);
    EXPECT_FALSE(process.trace.quality.truncated);
    EXPECT_EQ(process.trace.quality.dropped_records, 3U);
    EXPECT_EQ(process.trace.quality.zero_timestamps, 4U);
    EXPECT_EQ(process.trace.quality.unfinished_records, 0U);
}

TEST_F(SpoolToTrace, knows_a_recording_that_a_signal_ended) {
    spool_.add(spool::Quality{0, 4, 0}).add(spool::End{100, 15, 0});
    const auto process = read();
    EXPECT_EQ(process.signal, 15);
    EXPECT_TRUE(process.trace.quality.truncated);
    EXPECT_EQ(process.trace.quality.unfinished_records, 4U);
    EXPECT_EQ(process.trace.quality.zero_timestamps, 0U);
}

TEST_F(SpoolToTrace, knows_a_recording_that_was_cut_off) {
    spool_.kernel("a", 1, 10, 20);
    const auto process = read();
    EXPECT_FALSE(process.closed);
    EXPECT_TRUE(process.trace.quality.truncated);
    EXPECT_EQ(process.trace.activities.size(), 1U);
}

/// A recording cut off after one kernel, and what CUPTI still had.
class CutOff : public SpoolToTrace {
protected:
    CutOff() {
        spool_.call("cudaLaunchKernel", 1, 1'010, 1'020).kernel("a", 1, 1'100, 1'200);
        // Made at 5000; its texts have numbers of their own.
        snapshot_.add(spool::Process{5'000, 0, 4'711, 1})
            .kernel("b", 2, 1'300, 1'400)
            .call("cudaLaunchKernel", 2, 1'030, 1'040);
    }

    SpoolForTests snapshot_{
        std::filesystem::path(::testing::TempDir()) /
        (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
         ".trace.spool.unfinished")};
};

TEST_F(CutOff, recording_gets_what_was_finished_and_not_handed_out) {
    snapshot_.write();
    const auto result = trace();
    ASSERT_EQ(result.activities.size(), 2U);
    ASSERT_EQ(result.api_calls.size(), 2U);
    EXPECT_EQ(result.names[std::get<TracedKernel>(result.activities[1].what).name], "b");
    EXPECT_EQ(result.names[result.api_calls[1].name], "cudaLaunchKernel");
    EXPECT_TRUE(result.quality.truncated);
}

TEST_F(CutOff, recording_has_once_what_was_handed_out_after_all) {
    snapshot_.kernel("a", 1, 1'101, 1'201).call("cudaLaunchKernel", 1, 1'010, 1'020).write();
    const auto result = trace();
    ASSERT_EQ(result.activities.size(), 2U);
    EXPECT_EQ(result.activities[0].start, moment(1'100));
    EXPECT_EQ(result.api_calls.size(), 2U);
}

TEST_F(CutOff, recording_gets_nothing_with_impossible_times) {
    snapshot_
        .kernel("too early", 3, 999, 1'100)   // the recording starts at 1000
        .kernel("too late", 4, 4'900, 5'001)  // after the snapshot was made
        .kernel("backwards", 5, 2'000, 1'999)
        .write();
    EXPECT_EQ(trace().activities.size(), 2U);
}

TEST_F(CutOff, recording_joins_a_range_whose_end_was_not_handed_out) {
    spool_.add(spool::Marker{1'001, 1, spool::MarkerEdge::start, spool_.text("step"), 1, 1, 0});
    snapshot_.add(spool::Marker{1'002, 1, spool::MarkerEdge::end, 0, 1, 1, 0}).write();
    const auto result = trace();
    ASSERT_EQ(result.ranges.size(), 1U);
    EXPECT_EQ(result.ranges[0].end, moment(1'002));
}

TEST_F(CutOff, recording_that_was_closed_after_all_needs_no_snapshot) {
    snapshot_.write();
    spool_.end();
    EXPECT_EQ(trace().activities.size(), 1U);
}

TEST_F(SpoolToTrace, passes_on_why_tracing_went_off) {
    spool_.add(spool::Information{"tracing-off", "another profiler is attached"});
    EXPECT_EQ(read().tracing_off, "another profiler is attached");
}

TEST_F(SpoolToTrace, knows_a_stream_once_by_its_latest_properties) {
    spool_.add(spool::Stream{1, 13, 0, static_cast<std::uint32_t>(StreamFlag::blocking)})
        .add(spool::Stream{1, 13, -5, static_cast<std::uint32_t>(StreamFlag::non_blocking)})
        .end();
    const auto result = trace();
    ASSERT_EQ(result.streams.size(), 1U);
    EXPECT_EQ(result.streams[0].priority, -5);
    EXPECT_EQ(result.streams[0].flag, StreamFlag::non_blocking);
}

}  // namespace
}  // namespace overcast
