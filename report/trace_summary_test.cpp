#include "report/trace_summary.hpp"

#include "report/terminal_text.hpp"
#include "report/trace_statistics.hpp"
#include "tests/support/terminal_styles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace overcast {
namespace {

using namespace std::chrono_literals;

using ::overcast::testing::kUnicode;

TraceTime at(Duration time) { return TraceTime{time}; }

DeviceActivity activity(Duration start, Duration duration,
                        std::variant<TracedCopy, TracedMemset, TracedKernel> what) {
    DeviceActivity result;
    result.start = at(start);
    result.end = at(start + duration);
    result.context = ContextId{1};
    result.stream = StreamId{7};
    result.what = std::move(what);
    return result;
}

TracedCopy pinned_h2d(std::uint64_t bytes) {
    TracedCopy copy;
    copy.kind = CopyKind::host_to_device;
    copy.source = MemoryKind::pinned;
    copy.destination = MemoryKind::device;
    copy.bytes = Bytes{bytes};
    return copy;
}

/// Two copies of 1 MB in 20 us each and three launches of one kernel of 10, 20 and 30 us.
Trace sample_trace() {
    Trace trace;
    trace.source = "run.json.gz";
    trace.producer = "overcast 0.1.0";
    trace.program = "./app --size 4096";
    trace.date = "2026-11-20T12:00:00Z";
    trace.driver_version = "580.159";
    trace.environment["CUDA_DEVICE_MAX_CONNECTIONS"] = "1";
    DeviceProperties device;
    device.name = "NVIDIA H200";
    device.multiprocessors = 132;
    trace.devices.push_back(device);
    trace.streams.push_back({.context = ContextId{1},
                             .stream = StreamId{7},
                             .flag = StreamFlag::non_blocking,
                             .priority = 0});
    TracedKernel kernel;
    kernel.name = trace.names.intern("void scale<float>(float*, float, unsigned long)");
    kernel.shape.grid = {528, 2, 1};
    kernel.shape.block = {256, 1, 1};
    kernel.shape.registers_per_thread = 32;
    kernel.shape.static_shared_memory = Bytes{4096};
    trace.activities = {activity(0us, 20us, pinned_h2d(1'000'000)),
                        activity(20us, 20us, pinned_h2d(1'000'000)), activity(45us, 20us, kernel),
                        activity(70us, 10us, kernel), activity(90us, 30us, kernel)};
    ApiCall call;
    call.name = trace.names.intern("cudaLaunchKernel");
    call.start = at(1us);
    call.end = at(5us);
    trace.api_calls.push_back(call);
    return trace;
}

RegionSummary sample_region() {
    RegionSummary region;
    region.recorded_wall = 130us;
    region.setup = 50ms;
    region.operations = 5;
    region.units = 1;
    region.overheads[GapKind::kernel_to_kernel] = GapStatistics{7us, 5us, 10us, 2};
    region.device_model = "nvidia-h200";
    return region;
}

TEST(TraceStatistics, counts_kinds_kernels_streams_and_calls) {
    const auto statistics = statistics_of(sample_trace());
    ASSERT_EQ(statistics.kinds.size(), 2U);
    EXPECT_EQ(statistics.kinds[0].kind, "H2D copy, pinned");
    EXPECT_EQ(statistics.kinds[0].bytes, Bytes{2'000'000});
    EXPECT_EQ(statistics.kinds[1].count, 3U);
    EXPECT_EQ(statistics.kinds[1].total, 60us);
    EXPECT_EQ(statistics.kinds[1].median, 20us);
    ASSERT_EQ(statistics.kernels.size(), 1U);
    ASSERT_EQ(statistics.streams.size(), 1U);
    EXPECT_EQ(statistics.streams[0].busy, 100us);  // 2 * 20 + 60
    EXPECT_EQ(statistics.device_span, 120us);
}

TEST(TraceSummary, looks_like_this) {
    const Warnings warnings{{"x", "The recording is odd: record again."}};
    EXPECT_EQ('\n' + trace_summary(sample_trace(), sample_region(), warnings, kUnicode), R"(
trace      run.json.gz
program    ./app --size 4096
recorded   by overcast 0.1.0, 2026-11-20T12:00:00Z
device     NVIDIA H200, 132 SMs, driver 580.159
variable   CUDA_DEVICE_MAX_CONNECTIONS=1
region     5 operations, 130.0 µs; set-up before it 50.00 ms
units      no repeated units: the region is one unit

Device work: 5 operations in 120.0 µs
kind              count     bytes  total time    median       rate
────────────────  ─────  ────────  ──────────  ────────  ─────────
H2D copy, pinned      2  1.91 MiB    40.00 µs  20.00 µs  50.0 GB/s
kernel                3              60.00 µs  20.00 µs

Kernels, by total time
name          count   grid  block  regs  shared     total    median
────────────  ─────  ─────  ─────  ────  ──────  ────────  ────────
scale<float>      3  528x2    256    32   4 KiB  60.00 µs  20.00 µs

Streams
stream  context  kind          priority  operations      busy
──────  ───────  ────────────  ────────  ──────────  ────────
     7        1  non-blocking         0           5  100.0 µs

Host calls, by total time (traced)
call              count     total    median
────────────────  ─────  ────────  ────────
cudaLaunchKernel      1  4.000 µs  4.000 µs

Overhead parameters: gaps inside a stream, tracing's share taken out
parameter       between             median       p10       p90  pairs
──────────────  ────────────────  ────────  ────────  ────────  ─────
h2d_ovhd        H2D -> H2D               -         -         -      0
host2kern_ovhd  H2D -> kernel            -         -         -      0
kern_ovhd       kernel -> kernel  7.000 µs  5.000 µs  10.00 µs      2
kern2host_ovhd  kernel -> D2H            -         -         -      0
d2h_ovhd        D2H -> D2H               -         -         -      0
d2h2h2d_ovhd    D2H -> H2D               -         -         -      0
trans_ovlp_th   copy and copy         none
Where the trace has no such pair, and for trans_ovlp_th, the device model
nvidia-h200 decides; none: two copies of one direction never run side by side.

quality    0 records dropped, 0 without a time, 0 unfinished

warning: The recording is odd: record again.
)");
}

TEST(TraceSummary, shows_what_counted_kernels_ask_of_the_units) {
    auto trace = sample_trace();
    const auto& kernel = std::get<TracedKernel>(trace.activities[2].what);
    KernelCounters counters;
    counters.name = kernel.name;
    counters.grid = kernel.shape.grid;
    counters.block = kernel.shape.block;
    const auto set = [&](KernelCounter counter, double value) {
        counters.values[static_cast<std::size_t>(counter)] = value;
    };
    // 2 warps of 16 / 4 / 0.5 = 8 that stand around an issued instruction are ready: 25 %.
    set(KernelCounter::warps_per_sm, 16);
    set(KernelCounter::issue_slots, 0.5);
    set(KernelCounter::stalled_by_other_warp, 1.5);
    set(KernelCounter::stalled_by_math_pipe, 0.5);
    set(KernelCounter::fma_pipe, 0.2);
    set(KernelCounter::alu_pipe, 0.444);
    set(KernelCounter::l2_requests, 0.1);
    set(KernelCounter::l2_replies, 0.3);
    set(KernelCounter::dram, 0.0);
    trace.counters.push_back(counters);
    EXPECT_THAT(trace_summary(trace, sample_region(), {}, kUnicode), ::testing::HasSubstr(R"(
What kernels ask of the GPU's units (hardware counters, alone)
name           grid  warps/SM  held up  issue      pipe  L1    L2  DRAM
────────────  ─────  ────────  ───────  ─────  ────────  ──  ────  ────
scale<float>  528x2      16.0     25 %   50 %  alu 44 %   -  30 %   0 %
)"));
}

TEST(TraceSummary, shows_what_a_pass_through_the_loop_of_a_kernel_does) {
    auto trace = sample_trace();
    KernelCode code;
    code.name = std::get<TracedKernel>(trace.activities[2].what).name;
    code.instructions = 76;
    code.cycles = 215;
    code.memory_waits = 1.919;
    code.global_bytes = 4096;
    code[CodeUnit::fma_pipe] = 33;
    code[CodeUnit::l1] = 129;
    trace.code = {code};
    EXPECT_THAT(trace_summary(trace, sample_region(), {}, kUnicode), ::testing::HasSubstr(R"(
What a warp does in a pass through a kernel's loop (machine code)
name          instructions  cycles  busiest  load waits  moves
────────────  ────────────  ──────  ───────  ──────────  ─────
scale<float>            76     215  l1 60 %         1.9  4 KiB
)"));
}

TEST(TraceSummary, fits_80_columns_even_with_large_numbers_and_long_names) {
    auto trace = sample_trace();
    TracedKernel kernel;
    kernel.name = trace.names.intern(std::string(500, 'k'));
    kernel.shape.grid = {2147483647, 65535, 65535};
    kernel.shape.block = {1024, 1, 1};
    kernel.shape.registers_per_thread = 255;
    kernel.shape.dynamic_shared_memory = Bytes{232'448};
    trace.activities.push_back(activity(1s, 1234s, kernel));
    trace.program = std::string(500, 'p');
    std::istringstream lines{trace_summary(trace, sample_region(), {}, kUnicode)};
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), 80U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(TraceSummary, shows_kernels_without_return_type_and_parameters) {
    auto trace = sample_trace();
    TracedKernel kernel;
    kernel.name = trace.names.intern("void ns::(anonymous namespace)::f<op(int)>(float*, int)");
    trace.activities.push_back(activity(1s, 10us, kernel));
    EXPECT_THAT(trace_summary(trace, std::nullopt, {}, kUnicode),
                ::testing::HasSubstr("\nns::f<op(int)>  "));
}

TEST(TraceSummary, counts_gpus_of_a_kind) {
    auto trace = sample_trace();
    trace.devices.push_back(trace.devices.front());
    EXPECT_THAT(trace_summary(trace, std::nullopt, {}, kUnicode),
                ::testing::HasSubstr("NVIDIA H200, 132 SMs (2 of them), driver 580.159"));
}

TEST(TraceSummary, says_where_there_is_nothing_to_predict) {
    EXPECT_THAT(trace_summary(Trace{}, std::nullopt, {}, kUnicode),
                ::testing::HasSubstr("none: no device work in it"));
}

}  // namespace
}  // namespace overcast
