#include "formats/trace_samples_test.hpp"

#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

// A clock reading of today in nanoseconds: as a double it would lose its last digits.
constexpr TraceTime kZero{Duration{1'763'645'123'456'789'013}};

constexpr TraceTime after_zero(std::int64_t nanoseconds) { return kZero + Duration{nanoseconds}; }

constexpr ProcessId kProcess{4711};
constexpr ThreadId kMain{4711};
constexpr ThreadId kWorker{4720};
constexpr ContextId kContext{1};

void add_head(Trace& trace) {
    trace.producer = "overcast 0.1.0";
    trace.program = "./app --size \"12 MiB\" \\ \t\x01 größe";
    trace.date = "2026-11-20T13:00:00Z";
    trace.environment = {{"CUDA_DEVICE_MAX_CONNECTIONS", "8"}, {"CUDA_LAUNCH_BLOCKING", ""}};
    trace.driver_version = "580.65.06";
    trace.cuda_version = "13.0";
    trace.record_mode = RecordMode::full;
    trace.range = "nvtx:step 1";
    trace.recorded_ranges = {{after_zero(0), after_zero(500'000)},
                             {after_zero(600'000), after_zero(600'001)}};
    trace.quality = {.dropped_records = 3,
                     .zero_timestamps = 2,
                     .unfinished_records = 1,
                     .time_in_cupti = Duration{123'457},
                     .truncated = true};
    trace.warnings = {{.code = "dropped-records", .text = "3 records were dropped: \"retry\"."}};
}

void add_counters(Trace& trace) {
    KernelCounters counters;
    counters.name = trace.names.intern("scale(float*)");
    counters.grid = {1'000'000, 2, 3};
    counters.block = {32, 4, 1};
    counters.dynamic_shared_memory = Bytes{65'536};
    counters.launches = 5'000'000'000;
    counters.measured_launches = 2;
    counters.values[static_cast<std::size_t>(KernelCounter::duration_ns)] = 123'456;
    counters.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.25;
    counters.values[static_cast<std::size_t>(KernelCounter::memory_bytes)] = 12'884'901'889;
    KernelCounters nothing_but_its_name;
    nothing_but_its_name.name = counters.name;
    trace.counters = {counters, nothing_but_its_name};
}

void add_code(Trace& trace) {
    KernelCode code;
    code.name = trace.names.intern("scale(float*)");
    code.instructions = 131;
    code.cycles = 146;
    code.memory_waits = 1.919;
    code.global_bytes = 4096;
    code.barriers = 2;
    code[CodeUnit::fma_pipe] = 129;
    code[CodeUnit::l1] = 64;
    code.pass = {{.unit = PassUnit::global, .stall = 2, .words = 4, .result = 3, .operands = 0},
                 {.unit = PassUnit::fma, .stall = 4, .waits_for = 0x08},
                 {.unit = PassUnit::none, .stall = 15}};
    code.start = {{.unit = PassUnit::alu, .stall = 5}, {.unit = PassUnit::none, .stall = 1}};
    KernelCode without_pass;
    without_pass.name = trace.names.intern("early");
    trace.code = {code, without_pass};
}

void add_devices(Trace& trace) {
    trace.devices = {{.id = DeviceId{0},
                      .name = "NVIDIA H200",
                      .compute_capability_major = 9,
                      .compute_capability_minor = 0,
                      .multiprocessors = 132,
                      .threads_per_multiprocessor = 2048,
                      .blocks_per_multiprocessor = 32,
                      .registers_per_multiprocessor = 65536,
                      .shared_memory_per_multiprocessor = Bytes{233472},
                      .shared_memory_per_block = Bytes{232448},
                      .async_engines = 3,
                      .memory = Bytes{150'754'820'096},
                      .l2_cache = Bytes{62'914'560},
                      .core_clock_khz = 1'980'000.1,
                      .memory_bandwidth_bytes_per_s = 4.8e12 / 7,
                      .pcie_generation = 5,
                      .pcie_width = 16},
                     DeviceProperties{}};
    trace.devices.back().id = DeviceId{1};
    trace.devices.back().name = "another";
    trace.contexts = {{kContext, DeviceId{0}, StreamId{7}}, {ContextId{2}, DeviceId{1}, {}}};
    trace.streams = {{kContext, StreamId{7}, StreamFlag::legacy_default, 0},
                     {kContext, StreamId{13}, StreamFlag::non_blocking, -5},
                     {kContext, StreamId{14}, StreamFlag::blocking, {}},
                     {ContextId{2}, StreamId{15}, StreamFlag::unknown, {}}};
}

void add_calls(Trace& trace) {
    const auto call = [&](std::int64_t start, std::int64_t end, std::uint64_t correlation,
                          const char* name, ThreadId thread, ApiDomain domain,
                          std::int32_t result) {
        trace.api_calls.push_back({after_zero(start), after_zero(end), CorrelationId{correlation},
                                   trace.names.intern(name), kProcess, thread, result, domain});
    };
    call(1, 1'001, 1, "cudaMalloc", kMain, ApiDomain::runtime, 0);
    call(2'000, 4'000, 2, "cudaMemcpyAsync", kMain, ApiDomain::runtime, 0);
    // Starts with the runtime call that contains it.
    call(2'000, 3'999, 2, "cuMemcpyHtoDAsync_v2", kMain, ApiDomain::driver, 0);
    call(3'000, 5'000, 3, "cudaMemsetAsync", kWorker, ApiDomain::runtime, 0);
    call(6'000, 9'345, 4, "cudaLaunchKernel", kMain, ApiDomain::runtime, 0);
    call(9'345, 9'400, 5, "cudaEventRecord", kMain, ApiDomain::runtime, 0);
    call(9'400, 9'500, 6, "cudaEventQuery", kMain, ApiDomain::runtime, 600);
    call(9'600, 400'000, 7, "cudaStreamSynchronize", kMain, ApiDomain::runtime, -2'147'483'648);
}

DeviceActivity activity(std::int64_t start, std::int64_t end, std::uint64_t correlation,
                        std::uint32_t stream) {
    DeviceActivity result;
    result.start = after_zero(start);
    result.end = after_zero(end);
    result.correlation = CorrelationId{correlation};
    result.device = DeviceId{0};
    result.context = kContext;
    result.stream = StreamId{stream};
    return result;
}

void add_activities(Trace& trace) {
    auto copy = activity(10'000, 20'000, 2, 13);
    copy.channel = Channel{ChannelId{5}, ChannelType::copy};
    copy.what = TracedCopy{CopyKind::host_to_device,
                           MemoryKind::pinned,
                           MemoryKind::device,
                           true,
                           Bytes{12'582'912},
                           Address{0x7f0012340},
                           Address{0xffff'ffff'ffff'fff0}};
    trace.activities.push_back(copy);

    auto memset = activity(11'000, 11'000, 3, 7);
    memset.what = TracedMemset{Bytes{4096}, 0xdeadbeef, false, Address{0x100}};
    trace.activities.push_back(memset);

    auto kernel = activity(20'001, 220'002, 4, 13);
    kernel.channel = Channel{ChannelId{9}, ChannelType::compute};
    kernel.queued = after_zero(-7);
    kernel.submitted = after_zero(8'999);
    kernel.graph = GraphId{3};
    kernel.graph_node = GraphNodeId{0x1'0000'0000'0003};
    kernel.what = TracedKernel{trace.names.intern("void scale<float, 4>(float*, \"x\")"),
                               {.grid = {2'147'483'647, 65'535, 3},
                                .block = {256, 2, 1},
                                .cluster = {2, 1, 1},
                                .registers_per_thread = 255,
                                .static_shared_memory = Bytes{1024},
                                .dynamic_shared_memory = Bytes{65'536},
                                .executed_shared_memory = Bytes{102'400}}};
    trace.activities.push_back(kernel);

    // Starts before the kernel in front of it has ended (programmatic dependent launch).
    auto early = activity(220'000, 230'000, 8, 13);
    early.channel = Channel{ChannelId{9}, ChannelType::unknown};
    early.what = TracedKernel{trace.names.intern("early"), {}};
    trace.activities.push_back(early);

    // A copy without addresses, of another device, from one kind of memory to each other.
    for (const auto kind : {CopyKind::device_to_host, CopyKind::device_to_device,
                            CopyKind::host_to_host, CopyKind::peer_to_peer}) {
        auto other = activity(300'000, 310'000, 9, 7);
        other.device = DeviceId{1};
        other.context = ContextId{2};
        other.what =
            TracedCopy{kind, MemoryKind::array, MemoryKind::managed, false, Bytes{1}, {}, {}};
        trace.activities.push_back(other);
    }
}

void add_waits(Trace& trace) {
    trace.synchronisations = {{after_zero(9'000),
                               after_zero(9'000),
                               CorrelationId{5},
                               kContext,
                               SynchronisationKind::stream_wait_event,
                               StreamId{14},
                               CudaEventId{2},
                               EventSyncId{77},
                               {}},
                              {after_zero(9'100),
                               after_zero(9'200),
                               CorrelationId{6},
                               kContext,
                               SynchronisationKind::event,
                               {},
                               CudaEventId{2},
                               {},
                               CorrelationId{5},
                               StreamId{13}},
                              {after_zero(9'700),
                               after_zero(399'000),
                               CorrelationId{7},
                               kContext,
                               SynchronisationKind::stream,
                               StreamId{13},
                               {},
                               {},
                               {}},
                              // Another thread waits at the same time.
                              {after_zero(9'800),
                               after_zero(500'000),
                               CorrelationId{8},
                               kContext,
                               SynchronisationKind::context,
                               {},
                               {},
                               {},
                               {}}};
    trace.event_recordings = {
        {CorrelationId{5}, kContext, StreamId{13}, CudaEventId{2}, EventSyncId{77},
         after_zero(225'000)},
        {CorrelationId{999}, ContextId{2}, StreamId{7}, CudaEventId{4}, {}, {}}};
}

void add_rest(Trace& trace) {
    trace.memory_operations = {{after_zero(500), CorrelationId{1}, kProcess, MemoryKind::device,
                                false, false, Address{0x7f0000000000}, Bytes{1 << 20}},
                               {after_zero(600), CorrelationId{10}, kProcess, MemoryKind::pinned,
                                true, true, Address{16}, Bytes{0}}};
    for (auto kind = 0; kind <= static_cast<int>(OverheadKind::buffer_request); ++kind) {
        trace.overheads.push_back({after_zero(700 + kind), after_zero(800),
                                   static_cast<OverheadKind>(kind),
                                   kind % 2 == 0 ? std::optional{kWorker} : std::nullopt});
    }
    const auto range = [&](std::int64_t start, std::int64_t end, const char* name) {
        trace.ranges.push_back(
            {after_zero(start), after_zero(end), trace.names.intern(name), kProcess, kMain});
    };
    range(0, 7'000, "unit 0");
    range(1'500, 4'500, "copy in");
    range(5'000, 8'000, "crosses the end of unit 0");
}

}  // namespace

Trace trace_with_every_record() {
    Trace trace;
    trace.source = "made by hand";
    add_head(trace);
    add_counters(trace);
    add_code(trace);
    add_devices(trace);
    add_calls(trace);
    add_activities(trace);
    add_waits(trace);
    add_rest(trace);
    return trace;
}

}  // namespace overcast
