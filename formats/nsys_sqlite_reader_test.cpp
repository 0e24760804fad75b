#include "formats/nsys_sqlite_reader.hpp"

#include "formats/format_table.hpp"
#include "tests/support/sqlite_sample.hpp"
#include "tests/support/temporary_file.hpp"
#include "tests/support/warns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace overcast {
namespace {

using ::overcast::testing::read_sql;
using ::overcast::testing::TemporaryFile;
using ::overcast::testing::warns;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

TraceTime nsys_time(std::int64_t nanoseconds) { return TraceTime{Duration{nanoseconds}}; }

Trace read_sample(const std::string& name) {
    return read_sql(::overcast::testing::nsys_sample_sql(name));
}

std::vector<std::string> call_names(const Trace& trace) {
    std::vector<std::string> names;
    for (const auto& call : trace.api_calls) {
        names.emplace_back(trace.names[call.name]);
    }
    return names;
}

TEST(NsysReader, describes_the_session) {
    const auto trace = read_sample("two_streams");
    EXPECT_EQ(trace.producer, "Nsight Systems 2026.2.1.210");
    EXPECT_EQ(trace.program, "./scale --blocks 132");
    EXPECT_EQ(trace.date, "2026-05-24T13:40:14Z");
    EXPECT_EQ(trace.driver_version, "580.95.05");
    EXPECT_EQ(trace.cuda_version, "13.0");
    EXPECT_EQ(trace.environment,
              (std::map<std::string, std::string>{{"CUDA_DEVICE_MAX_CONNECTIONS", "2"}}));
}

TEST(NsysReader, reads_what_the_gpu_is) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.devices.size(), 1U);
    const auto& gpu = trace.devices[0];
    EXPECT_EQ(gpu.id, DeviceId{0});
    EXPECT_EQ(gpu.name, "NVIDIA H200");
    EXPECT_EQ(gpu.compute_capability_major, 9U);
    EXPECT_EQ(gpu.compute_capability_minor, 0U);
    EXPECT_EQ(gpu.multiprocessors, 132U);
    EXPECT_EQ(gpu.threads_per_multiprocessor, 2048U);  // 64 warps of 32 threads
    EXPECT_EQ(gpu.blocks_per_multiprocessor, 32U);
    EXPECT_EQ(gpu.registers_per_multiprocessor, 65536U);
    EXPECT_EQ(gpu.shared_memory_per_multiprocessor, Bytes{233472});
    EXPECT_EQ(gpu.shared_memory_per_block, Bytes{232448});
    EXPECT_EQ(gpu.async_engines, 3U);
    EXPECT_EQ(gpu.l2_cache, Bytes{62914560});
    EXPECT_EQ(gpu.core_clock_khz, 1'980'000.0);  // given in Hz
    EXPECT_EQ(gpu.memory_bandwidth_bytes_per_s, 4.814304e12);
}

TEST(NsysReader, tells_streams_apart_by_the_files_own_enumeration) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.streams.size(), 3U);
    EXPECT_EQ(trace.streams[0].flag, StreamFlag::legacy_default);
    EXPECT_EQ(trace.streams[1].flag, StreamFlag::non_blocking);
    EXPECT_EQ(trace.streams[1].priority, -5);  // stored as 4294967291
    EXPECT_EQ(trace.streams[2].flag, StreamFlag::blocking);
    ASSERT_EQ(trace.contexts.size(), 1U);
    EXPECT_EQ(trace.contexts[0].null_stream, StreamId{7});
}

TEST(NsysReader, reads_calls_without_their_abi_suffix) {
    const auto trace = read_sample("two_streams");
    EXPECT_THAT(call_names(trace),
                ::testing::ElementsAre("cuMemAllocAsync", "cudaMemcpyAsync", "cudaLaunchKernel",
                                       "cudaEventRecord", "cudaStreamWaitEvent", "cudaLaunchKernel",
                                       "cudaMemset", "cudaMemcpyAsync", "cudaDeviceSynchronize"));
    EXPECT_EQ(trace.api_calls[0].domain, ApiDomain::driver);
    const auto& copy = trace.api_calls[1];
    EXPECT_EQ(copy.start, nsys_time(1000));
    EXPECT_EQ(copy.end, nsys_time(3000));
    EXPECT_EQ(copy.correlation, CorrelationId{1});
    EXPECT_EQ(copy.process, ProcessId{300});
    EXPECT_EQ(copy.thread, ThreadId{301});
    EXPECT_EQ(copy.domain, ApiDomain::runtime);
    EXPECT_EQ(trace.api_calls[8].return_value, 600);
}

TEST(NsysReader, reads_kernels_with_their_shape) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.activities.size(), 5U);  // sorted by start; the migration is left out
    const auto& first = trace.activities[1];
    const auto& kernel = std::get<TracedKernel>(first.what);
    EXPECT_EQ(trace.names[kernel.name], "void scale<float>(float*, float)");
    EXPECT_EQ(first.start, nsys_time(25000));
    EXPECT_EQ(first.end, nsys_time(40000));
    EXPECT_EQ(first.stream, StreamId{13});
    EXPECT_EQ(first.correlation, CorrelationId{2});
    EXPECT_EQ(kernel.shape.grid, (Extent{132, 2, 1}));
    EXPECT_EQ(kernel.shape.block, (Extent{256, 1, 1}));
    EXPECT_EQ(kernel.shape.cluster, (Extent{1, 1, 1}));  // stored as zeros
    EXPECT_EQ(kernel.shape.registers_per_thread, 24U);
    EXPECT_EQ(kernel.shape.static_shared_memory, Bytes{1024});
    EXPECT_EQ(kernel.shape.dynamic_shared_memory, Bytes{2048});
    EXPECT_EQ(kernel.shape.executed_shared_memory, Bytes{32768});
    EXPECT_FALSE(first.graph_node);
    EXPECT_FALSE(first.channel);
    EXPECT_FALSE(first.queued);
}

TEST(NsysReader, reads_the_graph_that_a_kernel_belongs_to) {
    const auto trace = read_sample("two_streams");
    const auto& of_graph = trace.activities[2];
    EXPECT_EQ(of_graph.graph, GraphId{3});
    EXPECT_EQ(of_graph.graph_node, GraphNodeId{4294967298});
    EXPECT_EQ(std::get<TracedKernel>(of_graph.what).shape.cluster, (Extent{2, 1, 1}));
}

TEST(NsysReader, resolves_copies_and_memory_by_the_files_own_enumerations) {
    const auto trace = read_sample("two_streams");
    const auto& in = std::get<TracedCopy>(trace.activities[0].what);
    EXPECT_EQ(in.kind, CopyKind::host_to_device);
    EXPECT_EQ(in.source, MemoryKind::pinned);
    EXPECT_EQ(in.destination, MemoryKind::device);
    EXPECT_EQ(in.bytes, Bytes{1048576});
    EXPECT_TRUE(in.asynchronous);
    const auto& out = std::get<TracedCopy>(trace.activities[4].what);
    EXPECT_EQ(out.kind, CopyKind::device_to_host);
    EXPECT_EQ(out.source, MemoryKind::device);  // static
    EXPECT_EQ(out.destination, MemoryKind::pageable);
    EXPECT_TRUE(warns(trace, "managed-memory"));
}

TEST(NsysReader, a_memset_waits_where_its_call_is_not_async) {
    const auto trace = read_sample("two_streams");
    const auto& memset = std::get<TracedMemset>(trace.activities[3].what);
    EXPECT_EQ(memset.bytes, Bytes{4096});
    EXPECT_EQ(memset.value, 255U);
    EXPECT_FALSE(memset.asynchronous);  // cudaMemset
}

TEST(NsysReader, joins_a_wait_to_the_record_of_its_event) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.synchronisations.size(), 2U);
    const auto& wait = trace.synchronisations[0];
    EXPECT_EQ(wait.kind, SynchronisationKind::stream_wait_event);
    EXPECT_EQ(wait.stream, StreamId{14});
    EXPECT_EQ(wait.event, CudaEventId{5});
    EXPECT_EQ(wait.event_sync, EventSyncId{17});
    const auto& device = trace.synchronisations[1];
    EXPECT_EQ(device.kind, SynchronisationKind::context);
    EXPECT_FALSE(device.stream);
    EXPECT_FALSE(device.event);
    EXPECT_FALSE(device.event_sync);
    ASSERT_EQ(trace.event_recordings.size(), 2U);
    const auto& record = trace.event_recordings[0];
    EXPECT_EQ(record.correlation, CorrelationId{3});
    EXPECT_EQ(record.stream, StreamId{13});
    EXPECT_EQ(record.event, CudaEventId{5});
    EXPECT_EQ(record.event_sync, EventSyncId{17});
    EXPECT_EQ(record.device_time, nsys_time(40001));
    EXPECT_FALSE(trace.event_recordings[1].device_time);  // stored as 0
    EXPECT_TRUE(warns(trace, "unknown-waits"));           // syncType 0
}

TEST(NsysReader, reads_ranges_that_end) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.ranges.size(), 2U);
    EXPECT_EQ(trace.names[trace.ranges[0].name], "epoch");  // by its number
    EXPECT_EQ(trace.ranges[0].start, nsys_time(800));
    EXPECT_EQ(trace.ranges[0].end, nsys_time(95000));
    EXPECT_EQ(trace.ranges[0].thread, ThreadId{301});
    EXPECT_EQ(trace.names[trace.ranges[1].name], "step 1");
    EXPECT_TRUE(warns(trace, "unfinished-ranges"));
}

TEST(NsysReader, reads_memory_operations) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.memory_operations.size(), 2U);
    const auto& allocation = trace.memory_operations[0];
    EXPECT_FALSE(allocation.release);
    EXPECT_EQ(allocation.kind, MemoryKind::device);
    EXPECT_EQ(allocation.address, Address{140737488355328});
    EXPECT_EQ(allocation.bytes, Bytes{1048576});
    EXPECT_TRUE(allocation.asynchronous);  // cuMemAllocAsync
    EXPECT_TRUE(trace.memory_operations[1].release);
}

TEST(NsysReader, counts_an_overhead_once_that_two_tables_hold) {
    const auto trace = read_sample("two_streams");
    ASSERT_EQ(trace.overheads.size(), 2U);
    EXPECT_EQ(trace.overheads[0].kind, OverheadKind::command_buffer_full);
    EXPECT_EQ(trace.overheads[0].thread, ThreadId{301});
    EXPECT_EQ(trace.overheads[1].kind, OverheadKind::buffer_flush);
}

TEST(NsysReader, repeats_what_nsys_says_of_lost_cuda_events) {
    const auto trace = read_sample("two_streams");
    EXPECT_THAT(trace.warnings,
                Contains(Field(&Warning::text,
                               HasSubstr("Not all CUDA events might have been collected"))));
    EXPECT_THAT(trace.warnings, Not(Contains(Field(&Warning::text, HasSubstr("CPU sampling")))));
    EXPECT_THAT(trace.warnings, Not(Contains(Field(&Warning::text, HasSubstr("initialized")))));
}

TEST(NsysReader, says_that_channels_are_never_recorded) {
    EXPECT_TRUE(warns(read_sample("two_streams"), "no-channels"));
}

TEST(NsysReader, an_old_export_is_read_by_the_documented_numbers_and_says_so) {
    const auto trace = read_sample("old_schema");
    ASSERT_EQ(trace.activities.size(), 3U);
    const auto& copy = std::get<TracedCopy>(trace.activities[0].what);
    EXPECT_EQ(copy.kind, CopyKind::host_to_device);
    EXPECT_EQ(copy.source, MemoryKind::pinned);
    EXPECT_EQ(copy.destination, MemoryKind::unknown);  // 4 differs between versions
    EXPECT_FALSE(copy.asynchronous);
    EXPECT_EQ(trace.activities[0].correlation, CorrelationId{1});
    EXPECT_EQ(trace.api_calls[0].process, ProcessId{1});
    EXPECT_EQ(trace.names[std::get<TracedKernel>(trace.activities[1].what).name], "scale");
    EXPECT_EQ(trace.quality.zero_timestamps, 1U);
    for (const auto* const code :
         {"assumed-enumeration", "unknown-copies", "no-kernel-resources", "missing-events",
          "missing-waits", "whole-graphs", "unknown-device", "unknown-streams"}) {
        EXPECT_TRUE(warns(trace, code)) << code;
    }
}

TEST(NsysReader, an_old_table_of_null_streams_takes_the_device_from_the_work) {
    const auto trace = read_sample("old_schema");
    ASSERT_EQ(trace.contexts.size(), 1U);
    EXPECT_EQ(trace.contexts[0].null_stream, StreamId{7});
    EXPECT_EQ(trace.contexts[0].device, DeviceId{0});
}

TEST(NsysReader, an_old_table_of_gpus_is_read_by_its_own_names) {
    const auto trace = read_sql(::overcast::testing::nsys_sample_sql("old_schema") + R"sql(
        CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId INT, name TEXT, computeCapabilityMajor INT,
            computeCapabilityMinor INT, numMultiprocessors INT, numThreadsPerWarp INT,
            maxWarpsPerMultiprocessor INT, coreClockRate INT);
        INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'Tesla V100', 7, 0, 80, 32, 64, 1530000);)sql");
    ASSERT_EQ(trace.devices.size(), 1U);
    EXPECT_EQ(trace.devices[0].name, "Tesla V100");
    EXPECT_EQ(trace.devices[0].multiprocessors, 80U);
    EXPECT_EQ(trace.devices[0].threads_per_multiprocessor, 2048U);
    EXPECT_FALSE(trace.devices[0].core_clock_khz);
    EXPECT_FALSE(warns(trace, "unknown-device"));
}

TEST(NsysReader, a_correlation_that_cupti_never_gives_is_none) {
    for (const std::string number : {"-1", "0", "4294967295", "NULL"}) {
        const auto trace =
            read_sql(::overcast::testing::nsys_sample_sql("two_processes") +
                     "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = " + number + ";");
        EXPECT_EQ(trace.activities[0].correlation, CorrelationId{}) << number;
        EXPECT_EQ(trace.activities[1].correlation, CorrelationId{}) << number;  // process 22
    }
}

TEST(NsysReader, text_that_is_no_utf8_is_replaced) {
    const auto trace = read_sql(::overcast::testing::nsys_sample_sql("old_schema") +
                                "UPDATE StringIds SET value = CAST(x'61ff62' AS TEXT);");
    EXPECT_EQ(trace.names[std::get<TracedKernel>(trace.activities[1].what).name],
              "a\xef\xbf\xbd"
              "b");
}

TEST(NsysReader, equal_numbers_of_two_processes_stay_apart) {
    const auto trace = read_sample("two_processes");
    ASSERT_EQ(trace.activities.size(), 4U);
    const auto& of_11 = trace.activities[0];
    const auto& of_22 = trace.activities[1];
    EXPECT_EQ(trace.names[std::get<TracedKernel>(of_11.what).name], "short_kernel");
    EXPECT_EQ(trace.names[std::get<TracedKernel>(of_22.what).name], "long_kernel");
    // The first process keeps its numbers.
    EXPECT_EQ(of_11.correlation, CorrelationId{5});
    EXPECT_EQ(of_11.context, ContextId{1});
    EXPECT_NE(of_22.correlation, CorrelationId{5});
    EXPECT_NE(of_22.context, ContextId{1});
    // Each activity has one call, of its own process.
    for (const auto& activity : trace.activities) {
        std::set<ProcessId> callers;
        for (const auto& call : trace.api_calls) {
            if (call.correlation == activity.correlation) {
                callers.insert(call.process);
            }
        }
        const auto expected = activity.context == ContextId{1} ? ProcessId{11} : ProcessId{22};
        EXPECT_EQ(callers, std::set{expected});
    }
    // cudaMemcpyAsync of process 11, cudaMemcpy of process 22, under the same number.
    EXPECT_TRUE(std::get<TracedCopy>(trace.activities[2].what).asynchronous);
    EXPECT_FALSE(std::get<TracedCopy>(trace.activities[3].what).asynchronous);
    EXPECT_EQ(trace.streams[0].context, of_11.context);
    EXPECT_EQ(trace.streams[0].flag, StreamFlag::non_blocking);
    EXPECT_EQ(trace.streams[1].context, of_22.context);
    EXPECT_EQ(trace.streams[1].flag, StreamFlag::blocking);
}

TEST(NsysReader, device_0_of_two_processes_is_the_gpu_that_each_sees) {
    const auto trace = read_sample("two_processes");
    EXPECT_EQ(trace.activities[0].device, DeviceId{1});
    EXPECT_EQ(trace.activities[1].device, DeviceId{0});
    ASSERT_EQ(trace.devices.size(), 2U);
    EXPECT_EQ(trace.devices[1].name, "NVIDIA A100-SXM4-40GB");
    EXPECT_FALSE(warns(trace, "doubtful-device"));
}

TEST(NsysReader, says_when_it_is_not_known_which_gpu_a_process_saw) {
    const auto trace = read_sql(::overcast::testing::nsys_sample_sql("two_processes") +
                                "DROP TABLE TARGET_INFO_CUDA_DEVICE;");
    EXPECT_EQ(trace.activities[0].device, DeviceId{0});
    EXPECT_TRUE(warns(trace, "doubtful-device"));
}

TEST(NsysReader, the_only_stream_that_is_not_listed_is_the_default_stream) {
    const auto trace = read_sample("two_processes");
    const auto other = trace.activities[1].context;
    EXPECT_THAT(trace.contexts,
                Contains(AllOf(Field(&ContextProperties::context, other),
                               Field(&ContextProperties::null_stream, StreamId{7}))));
    EXPECT_TRUE(warns(trace, "assumed-null-stream"));
}

TEST(NsysReader, rows_that_name_no_process_join_no_call_of_several) {
    const auto trace = read_sql(::overcast::testing::nsys_sample_sql("two_processes") +
                                "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = NULL;");
    EXPECT_EQ(trace.activities[0].correlation, CorrelationId{});
    EXPECT_TRUE(warns(trace, "no-process"));
}

}  // namespace
}  // namespace overcast
