// Traces of PyTorch's profiler, in the forms that its versions have used.
#include "formats/chrome_trace_reader.hpp"

#include "tests/support/warns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace overcast {
namespace {

using ::overcast::testing::warns;

Trace read_kineto(const std::string& text) {
    MemorySource source{text};
    return read_chrome_trace(source, "kineto.json");
}

TraceTime kineto_time(std::int64_t nanoseconds) { return TraceTime{Duration{nanoseconds}}; }

constexpr const char* kTrace = R"json({
  "schemaVersion": 1,
  "distributedInfo": {"rank": 0, "nested": [[1], {"a": "}"}]},
  "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85045878784,
      "computeMajor": 9, "computeMinor": 0, "maxThreadsPerBlock": 1024,
      "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32,
      "sharedMemPerBlock": 49152, "numSms": 132
    , "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 232448,
      "sharedMemPerMultiprocessor": 233472
    }
  ],
  "cupti_version": 24,
  "with_flops": 1,
  "displayTimeUnit": "ms",
  "traceEvents": [
  {
    "ph": "X", "cat": "cpu_op", "name": "aten::convolution", "pid": 31, "tid": 31,
    "ts": 100.000, "dur": 425.453,
    "args": {
      "External id": 1340, "Concrete Inputs": ["", "[2, 2]"], "Input Dims": [[1, 3], []]
    }
  },
  {
    "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 31, "tid": 31,
    "ts": 99.000, "dur": 900.001, "args": {"External id": 7}
  },
  {
    "ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#2", "pid": 0, "tid": 7,
    "ts": 200, "dur": 100, "args": {}
  },
  {
    "ph": "X", "cat": "python_function", "name": "a.py(1): <module>", "pid": 31, "tid": 31,
    "ts": 0.5, "dur": 1000, "args": {"Python id": 1, "Python parent id": null}
  },
  {
    "ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 31, "tid": 31,
    "ts": 110.5, "dur": 3.25,
    "args": {"External id": 5, "cbid": 41, "correlation": 14}
  },
  {
    "ph": "s", "id": 14, "pid": 31, "tid": 31, "ts": 110.5, "cat": "ac2g", "name": "ac2g"
  },
  {
    "ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpy_v3020", "pid": 31, "tid": "31",
    "ts": "120", "dur": "5", "args": {"cbid": 31, "correlation": 15}
  },
  {
    "ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernel", "pid": 31, "tid": 32,
    "ts": 130.1234, "dur": 2.0006, "args": {"cbid": 307, "correlation": 16}
  },
  {
    "ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7,
    "ts": 150.001, "dur": 10,
    "args": {
      "External id": 5, "device": 0, "context": 1, "stream": 7, "correlation": 14,
      "bytes": 92928, "memory bandwidth (GB/s)": 9.2928
    }
  },
  {
    "ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pageable)", "pid": 0, "tid": 7,
    "ts": 140, "dur": 0,
    "args": {
      "fromDevice": 0, "inDevice": 1, "toDevice": 0, "fromContext": 1, "inContext": 2,
      "toContext": 1, "stream": 7, "correlation": 15,
      "bytes": 4, "memory bandwidth (GB/s)": "N/A"
    }
  },
  {
    "ph": "X", "cat": "kernel", "name": "void f<int>(\"a\", \u00b5)", "pid": 0, "tid": 20,
    "ts": 170, "dur": 123.456,
    "args": {
      "queued": 0, "device": 0, "context": 1, "stream": 20, "correlation": 16,
      "registers per thread": 122, "shared memory": 12544, "blocks per SM": inf,
      "warps per SM": Infinity, "grid": [8, 16, 5], "block": [ 128,1 , 1 ],
      "est. achieved occupancy %": NaN, "graph id": 0, "graph node id": 0,
      "channel": 9, "channel_type": 1
    }
  },
  {
    "ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 20,
    "ts": 160, "dur": 1,
    "args": {"device": 0, "context": 1, "stream": 20, "correlation": 25, "bytes": 512}
  },
  {
    "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 24,
    "ts": 180, "dur": 2,
    "args": {
      "cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 20,
      "wait_on_cuda_event_record_corr_id": 1385, "wait_on_cuda_event_id": 19,
      "stream": 24, "correlation": 1389, "device": 0, "context": 1
    }
  },
  {
    "ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": 0, "tid": -1,
    "ts": 190, "dur": 19,
    "args": {"cuda_sync_kind": "Context Sync", "stream": -1, "correlation": 1424,
             "device": 0, "context": 1}
  },
  {
    "ph": "X", "cat": "overhead", "name": "Activity Buffer Request", "pid": -1, "tid": 0,
    "ts": 105, "dur": 1, "args": {}
  },
  {
    "name": "process_name", "ph": "M", "ts": 0, "pid": 31, "tid": 0, "args": {"name": "python"}
  },
  {
    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 31, "tid": 31,
    "ts": 111, "args": {"Total Allocated": 512, "Addr": 140031931432960, "Bytes": -512}
  },
  {
    "ph": "X", "cat": "Trace", "ts": 99, "dur": 1000, "pid": "Spans", "tid": "PyTorch Profiler",
    "name": "PyTorch Profiler (0)", "args": {"Op count": 0}
  },
  {
    "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 1999
  }
  ],
  "traceName": "trace.json",
  "baseTimeNanoseconds": 1743521598000000000
})json";

constexpr std::int64_t kBase = 1'743'521'598'000'000'000;

TEST(KinetoTrace, keeps_what_the_device_and_the_cuda_api_did_and_passes_over_the_rest) {
    const auto trace = read_kineto(kTrace);
    EXPECT_EQ(trace.producer, "kineto");
    EXPECT_EQ(trace.source, "kineto.json");
    EXPECT_EQ(trace.api_calls.size(), 3U);
    EXPECT_EQ(trace.activities.size(), 4U);
    EXPECT_EQ(trace.synchronisations.size(), 2U);
    EXPECT_EQ(trace.overheads.size(), 1U);
    EXPECT_EQ(trace.ranges.size(), 1U);
    EXPECT_TRUE(trace.warnings.empty());
}

TEST(KinetoTrace, lists_are_sorted_by_start) {
    const auto trace = read_kineto(kTrace);
    ASSERT_EQ(trace.activities.size(), 4U);
    // 140, 150.001, 160 and 170 us, which the file has in another order.
    EXPECT_EQ(trace.activities[0].start, kineto_time(kBase + 140'000));
    EXPECT_EQ(trace.activities[1].start, kineto_time(kBase + 150'001));
    EXPECT_EQ(trace.activities[2].start, kineto_time(kBase + 160'000));
    EXPECT_EQ(trace.activities[3].start, kineto_time(kBase + 170'000));
}

TEST(KinetoTrace, times_are_the_base_plus_microseconds_rounded_to_nanoseconds) {
    const auto trace = read_kineto(kTrace);
    const auto& launch = trace.api_calls[2];
    EXPECT_EQ(launch.start, kineto_time(kBase + 130'123));              // 130.1234 us
    EXPECT_EQ(launch.end, kineto_time(kBase + 130'123 + 2'001));        // 2.0006 us longer
    EXPECT_EQ(trace.ranges[0].end, kineto_time(kBase + 999'001));       // 99.000 + 900.001 us
    EXPECT_EQ(trace.api_calls[1].start, kineto_time(kBase + 120'000));  // given as a string
}

TEST(KinetoTrace, kernel_keeps_its_shape_with_the_shared_memory_in_one_sum) {
    const auto trace = read_kineto(kTrace);
    const auto& activity = trace.activities[3];
    const auto& kernel = std::get<TracedKernel>(activity.what);
    EXPECT_EQ(trace.names[kernel.name], "void f<int>(\"a\", µ)");
    EXPECT_EQ(kernel.shape.grid, (Extent{8, 16, 5}));
    EXPECT_EQ(kernel.shape.block, (Extent{128, 1, 1}));
    EXPECT_EQ(kernel.shape.cluster, (Extent{1, 1, 1}));
    EXPECT_EQ(kernel.shape.registers_per_thread, 122U);
    EXPECT_EQ(kernel.shape.static_shared_memory + kernel.shape.dynamic_shared_memory, Bytes{12544});
    EXPECT_EQ(activity.channel, (Channel{ChannelId{9}, ChannelType::compute}));
    EXPECT_EQ(activity.stream, StreamId{20});
    EXPECT_EQ(activity.queued, std::nullopt);
    EXPECT_EQ(activity.graph, std::nullopt);
    EXPECT_EQ(activity.graph_node, std::nullopt);
}

TEST(KinetoTrace, copies_take_kind_and_memory_from_their_name_and_async_from_their_call) {
    const auto trace = read_kineto(kTrace);
    const auto& blocking = std::get<TracedCopy>(trace.activities[0].what);
    EXPECT_EQ(blocking.kind, CopyKind::device_to_host);
    EXPECT_EQ(blocking.destination, MemoryKind::pageable);
    EXPECT_FALSE(blocking.asynchronous);                 // issued by cudaMemcpy
    EXPECT_EQ(trace.activities[0].device, DeviceId{1});  // "inDevice" of a peer copy's record
    EXPECT_EQ(trace.activities[0].context, ContextId{2});
    const auto& pinned = std::get<TracedCopy>(trace.activities[1].what);
    EXPECT_EQ(pinned.kind, CopyKind::host_to_device);
    EXPECT_EQ(pinned.source, MemoryKind::pinned);
    EXPECT_EQ(pinned.destination, MemoryKind::device);
    EXPECT_EQ(pinned.bytes, Bytes{92928});
    EXPECT_TRUE(pinned.asynchronous);  // issued by cudaMemcpyAsync
}

TEST(KinetoTrace, calls_lose_the_suffix_of_their_abi) {
    const auto trace = read_kineto(kTrace);
    EXPECT_EQ(trace.names[trace.api_calls[1].name], "cudaMemcpy");
    EXPECT_EQ(trace.api_calls[1].thread, ThreadId{31});
    EXPECT_EQ(trace.api_calls[2].domain, ApiDomain::driver);
}

TEST(KinetoTrace, waits_keep_what_they_wait_for) {
    const auto trace = read_kineto(kTrace);
    const auto& wait = trace.synchronisations[0];
    EXPECT_EQ(wait.kind, SynchronisationKind::stream_wait_event);
    EXPECT_EQ(wait.stream, StreamId{24});
    EXPECT_EQ(wait.event, CudaEventId{19});
    EXPECT_EQ(wait.record_correlation, CorrelationId{1385});
    EXPECT_EQ(wait.record_stream, StreamId{20});
    EXPECT_EQ(trace.synchronisations[1].kind, SynchronisationKind::context);
    EXPECT_EQ(trace.synchronisations[1].stream, std::nullopt);
    EXPECT_EQ(trace.overheads[0].kind, OverheadKind::buffer_request);
}

TEST(KinetoTrace, device_properties_are_those_of_the_driver) {
    const auto trace = read_kineto(kTrace);
    ASSERT_EQ(trace.devices.size(), 1U);
    const auto& device = trace.devices[0];
    EXPECT_EQ(device.name, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(device.multiprocessors, 132U);
    EXPECT_EQ(device.compute_capability_major, 9U);
    EXPECT_EQ(device.memory, Bytes{85'045'878'784});
    EXPECT_EQ(device.shared_memory_per_block, Bytes{232'448});
    EXPECT_EQ(device.async_engines, std::nullopt);
}

TEST(KinetoTrace, thread_ids_may_be_negative) {
    const auto trace = read_kineto(R"([
        {"cat":"cuda_runtime","name":"cudaLaunchKernel","ph":"X","pid":1,"tid":-247463936,
         "ts":1,"dur":2,"args":{"correlation":1}},
        {"cat":"cuda_runtime","name":"cudaLaunchKernel","ph":"X","pid":1,"tid":31,
         "ts":5,"dur":2,"args":{"correlation":2}}])");
    ASSERT_EQ(trace.api_calls.size(), 2U);
    EXPECT_NE(trace.api_calls[0].thread, trace.api_calls[1].thread);
}

TEST(KinetoTrace, a_bare_list_of_events_is_a_trace_too) {
    const auto trace = read_kineto(R"([{"args":{"stream":3,"device":0},"cat":"kernel","dur":2,
                                 "name":"k","ph":"X","pid":0,"tid":3,"ts":1.7e3}])");
    ASSERT_EQ(trace.activities.size(), 1U);
    EXPECT_EQ(trace.activities[0].start, kineto_time(1'700'000));  // 1.7e3 us
    EXPECT_EQ(trace.activities[0].end, kineto_time(1'702'000));
}

TEST(KinetoTrace, pieces_of_any_size_give_the_same_trace) {
    const auto whole = read_kineto(kTrace);
    const std::string text = kTrace;
    for (std::size_t chunk = 1; chunk < 300; chunk += 7) {
        MemorySource source{text};
        const auto trace = read_chrome_trace(source, "kineto.json", chunk);
        ASSERT_EQ(trace.activities.size(), whole.activities.size()) << chunk;
        ASSERT_EQ(trace.api_calls.size(), whole.api_calls.size()) << chunk;
        ASSERT_EQ(trace.activities[3].end, whole.activities[3].end) << chunk;
        ASSERT_EQ(trace.names[trace.ranges[0].name], "ProfilerStep#2") << chunk;
    }
}

TEST(KinetoTrace, events_split_into_begin_and_end_are_warned_about) {
    const auto trace = read_kineto(R"([{"ph":"B","cat":"kernel","name":"k","pid":0,"tid":3,"ts":1},
                                {"ph":"E","cat":"kernel","name":"k","pid":0,"tid":3,"ts":2}])");
    ASSERT_EQ(trace.warnings.size(), 1U);
    EXPECT_EQ(trace.warnings[0].code, "split-events");
    EXPECT_THAT(trace.warnings[0].text, ::testing::HasSubstr("2 events"));
}

Trace read_kineto_sample(const std::string& name) {
    return read_chrome_trace(std::filesystem::path{OVERCAST_SOURCE_DIR} / "tests/data/kineto" /
                             name);
}

TEST(KinetoTrace, a_wait_between_streams_names_the_record_and_its_stream) {
    const auto trace = read_kineto_sample("two_streams_graph.json");
    ASSERT_EQ(trace.synchronisations.size(), 3U);
    const auto& wait = trace.synchronisations[0];
    EXPECT_EQ(wait.kind, SynchronisationKind::stream_wait_event);
    EXPECT_EQ(wait.stream, StreamId{20});
    EXPECT_EQ(wait.record_stream, StreamId{24});
    EXPECT_EQ(wait.record_correlation, CorrelationId{12});  // that of cudaEventRecord
    EXPECT_EQ(wait.correlation, CorrelationId{13});
    EXPECT_EQ(trace.synchronisations[1].kind, SynchronisationKind::event);
    EXPECT_FALSE(trace.synchronisations[1].stream);  // given as -1
    EXPECT_EQ(trace.synchronisations[2].kind, SynchronisationKind::context);
}

TEST(KinetoTrace, nodes_of_a_graph_carry_the_correlation_of_its_launch) {
    const auto trace = read_kineto_sample("two_streams_graph.json");
    std::size_t nodes = 0;
    for (const auto& activity : trace.activities) {
        nodes += activity.graph_node ? 1U : 0U;
        EXPECT_EQ(activity.graph_node.has_value(), activity.correlation == CorrelationId{15});
        EXPECT_EQ(activity.graph, activity.graph_node ? std::optional{GraphId{7}} : std::nullopt);
    }
    EXPECT_EQ(nodes, 2U);  // a kernel and a memset
}

TEST(KinetoTrace, annotations_of_the_host_become_ranges) {
    const auto trace = read_kineto_sample("two_streams_graph.json");
    ASSERT_EQ(trace.ranges.size(), 2U);  // the one of the GPU is the same one once more
    EXPECT_EQ(trace.names[trace.ranges[0].name], "ProfilerStep#3");
    EXPECT_EQ(trace.names[trace.ranges[1].name], "forward");
}

TEST(KinetoTrace, says_what_the_recorder_left_out) {
    const auto fine = read_kineto_sample("two_streams_graph.json");
    EXPECT_TRUE(warns(fine, "no-channels"));
    EXPECT_FALSE(warns(fine, "coarse-times"));
    EXPECT_TRUE(warns(read_kineto_sample("whole_microseconds.json"), "coarse-times"));
}

TEST(KinetoTrace, of_equal_starts_the_containing_call_comes_first_and_the_shorter_kernel) {
    const auto trace = read_kineto_sample("whole_microseconds.json");
    EXPECT_EQ(trace.names[trace.ranges[0].name], "step");
    EXPECT_EQ(trace.api_calls[1].correlation, CorrelationId{2});  // 3 us, around one of 2 us
    EXPECT_EQ(trace.api_calls[2].correlation, CorrelationId{3});
    EXPECT_EQ(trace.activities[1].correlation, CorrelationId{3});  // 5 us
    EXPECT_EQ(trace.activities[2].correlation, CorrelationId{2});  // 20 us
}

}  // namespace
}  // namespace overcast
