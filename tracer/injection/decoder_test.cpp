// Records as CUPTI would write them, built by hand: needs its headers, not the library, nor a GPU.
#include "tracer/injection/decoder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace overcast::injection {
namespace {

/// What CUPTI calls the functions: with the suffix of the ABI.
const char* name_of(CUpti_CallbackDomain domain, std::uint32_t cbid) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API &&
        cbid == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020) {
        return "cudaMemcpyAsync_v3020";
    }
    return domain == CUPTI_CB_DOMAIN_DRIVER_API ? "cuMemcpyHtoDAsync_v2_ptsz" : nullptr;
}

class Decoding : public ::testing::Test {
protected:
    Decoding()
        : file_{::testing::TempDir() + "decoding-" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".spool"},
          decoder_{spool_, &name_of} {
        std::filesystem::remove(file_);
        EXPECT_TRUE(spool_.open(file_));
    }
    ~Decoding() override { std::filesystem::remove(file_); }

    template <typename Record>
    void decode(const Record& record) {
        decoder_.decode(reinterpret_cast<const CUpti_Activity&>(record));
    }

    /// Everything in the spool so far, texts apart.
    std::vector<spool::Record> records() {
        EXPECT_TRUE(spool_.flush());
        spool::Reader reader{file_};
        std::vector<spool::Record> result;
        while (const auto record = reader.next()) {
            if (const auto* text = std::get_if<spool::Text>(&*record)) {
                EXPECT_EQ(text->id, texts_.size());
                texts_.emplace_back(text->text);
            } else {
                result.push_back(*record);
            }
        }
        return result;
    }

    template <typename Record>
    Record only_record() {
        const auto all = records();
        EXPECT_EQ(all.size(), 1U);
        return all.empty() ? Record{} : std::get<Record>(all.front());
    }

    std::string file_;
    SpoolWriter spool_;
    Decoder decoder_;
    std::vector<std::string> texts_{""};  ///< by their number in the spool
};

CUpti_ActivityKernel10 kernel() {
    CUpti_ActivityKernel10 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.start = 1'000;
    record.end = 1'250;
    record.name = "_Z5scalePfi";
    return record;
}

TEST_F(Decoding, keeps_everything_of_a_kernel_that_decides_its_occupancy) {
    auto record = kernel();
    record.gridX = 528;
    record.gridY = 2;
    record.gridZ = 3;
    record.blockX = 256;
    record.blockY = 1;
    record.blockZ = 1;
    record.clusterX = 2;
    record.clusterY = 1;
    record.clusterZ = 1;
    record.registersPerThread = 40;
    record.staticSharedMemory = 1'024;
    record.dynamicSharedMemory = 2'048;
    record.sharedMemoryExecuted = 65'536;
    decode(record);

    const auto read = only_record<spool::Kernel>();
    EXPECT_EQ(read.grid, (Extent{528, 2, 3}));
    EXPECT_EQ(read.block, (Extent{256, 1, 1}));
    EXPECT_EQ(read.cluster, (Extent{2, 1, 1}));
    EXPECT_EQ(read.registers_per_thread, 40U);
    EXPECT_EQ(read.static_shared_memory, 1'024U);
    EXPECT_EQ(read.dynamic_shared_memory, 2'048U);
    EXPECT_EQ(read.executed_shared_memory, 65'536U);
    EXPECT_EQ(texts_.at(read.name), "_Z5scalePfi");
}

TEST_F(Decoding, keeps_when_and_where_a_kernel_ran) {
    auto record = kernel();
    record.queued = 800;
    record.submitted = 900;
    record.deviceId = 1;
    record.contextId = 2;
    record.streamId = 13;
    record.correlationId = 77;
    record.channelID = 5;
    record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
    record.graphId = 3;
    record.graphNodeId = 4;
    decode(record);

    const auto read = only_record<spool::Kernel>();
    EXPECT_EQ(read.activity.start, 1'000U);
    EXPECT_EQ(read.activity.end, 1'250U);
    EXPECT_EQ(read.queued, 800U);
    EXPECT_EQ(read.submitted, 900U);
    EXPECT_EQ(read.activity.device, 1U);
    EXPECT_EQ(read.activity.context, 2U);
    EXPECT_EQ(read.activity.stream, 13U);
    EXPECT_EQ(read.activity.correlation, 77U);
    EXPECT_EQ(read.activity.channel, 5U);
    EXPECT_EQ(read.activity.channel_type, static_cast<std::uint32_t>(ChannelType::compute));
    EXPECT_EQ(read.activity.graph, 3U);
    EXPECT_EQ(read.activity.graph_node, 4U);
}

TEST_F(Decoding, takes_a_kernel_without_clusters_for_clusters_of_one_block) {
    decode(kernel());
    EXPECT_EQ(only_record<spool::Kernel>().cluster, (Extent{1, 1, 1}));
}

TEST_F(Decoding, writes_a_kernel_s_name_once) {
    decode(kernel());
    decode(kernel());
    const auto all = records();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(texts_.size(), 2U);  // no text, and the name
    EXPECT_EQ(std::get<spool::Kernel>(all[1]).name, std::get<spool::Kernel>(all[0]).name);
}

TEST_F(Decoding, counts_activities_without_times_and_leaves_them_out) {
    auto unfinished = kernel();
    unfinished.end = 0;
    decode(unfinished);
    CUpti_ActivityMemcpy6 never_run{};
    never_run.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    decode(never_run);
    EXPECT_TRUE(records().empty());
    EXPECT_EQ(decoder_.zero_timestamps(), 2U);
}

TEST_F(Decoding, keeps_a_copy_s_direction_memory_kinds_and_blocking) {
    CUpti_ActivityMemcpy6 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    record.start = 10;
    record.end = 20;
    record.bytes = 12U << 20U;
    record.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    record.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    record.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    record.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    record.channelID = 9;
    record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
    decode(record);

    const auto read = only_record<spool::Copy>();
    EXPECT_EQ(read.bytes, 12U << 20U);
    EXPECT_EQ(read.kind, CopyKind::device_to_host);
    EXPECT_EQ(read.source, MemoryKind::device);
    EXPECT_EQ(read.destination, MemoryKind::pinned);
    EXPECT_EQ(read.asynchronous, 1);
    EXPECT_EQ(read.activity.channel_type, static_cast<std::uint32_t>(ChannelType::copy));
}

TEST_F(Decoding, takes_every_kind_of_copy_for_what_the_bus_sees) {
    const std::vector<std::pair<CUpti_ActivityMemcpyKind, CopyKind>> kinds{
        {CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CopyKind::host_to_device},
        {CUPTI_ACTIVITY_MEMCPY_KIND_HTOA, CopyKind::host_to_device},
        {CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CopyKind::device_to_host},
        {CUPTI_ACTIVITY_MEMCPY_KIND_ATOH, CopyKind::device_to_host},
        {CUPTI_ACTIVITY_MEMCPY_KIND_ATOA, CopyKind::device_to_device},
        {CUPTI_ACTIVITY_MEMCPY_KIND_ATOD, CopyKind::device_to_device},
        {CUPTI_ACTIVITY_MEMCPY_KIND_DTOA, CopyKind::device_to_device},
        {CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, CopyKind::device_to_device},
        {CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, CopyKind::host_to_host},
        {CUPTI_ACTIVITY_MEMCPY_KIND_PTOP, CopyKind::peer_to_peer}};
    for (const auto& [kind, expected] : kinds) {
        CUpti_ActivityMemcpy6 record{};
        record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
        record.start = 1;
        record.end = 2;
        record.copyKind = static_cast<std::uint8_t>(kind);
        decode(record);
    }
    const auto all = records();
    ASSERT_EQ(all.size(), kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        EXPECT_EQ(std::get<spool::Copy>(all[i]).kind, kinds[i].second) << kinds[i].first;
        EXPECT_EQ(std::get<spool::Copy>(all[i]).asynchronous, 0);
    }
}

TEST_F(Decoding, takes_static_and_managed_memory_for_device_and_managed) {
    CUpti_ActivityMemcpy6 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    record.start = 1;
    record.end = 2;
    record.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC;
    record.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC;
    decode(record);
    const auto read = only_record<spool::Copy>();
    EXPECT_EQ(read.source, MemoryKind::device);
    EXPECT_EQ(read.destination, MemoryKind::managed);
}

TEST_F(Decoding, names_api_calls_without_the_suffix_of_the_abi) {
    CUpti_ActivityAPI record{};
    record.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    record.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020;
    record.start = 5;
    record.end = 9;
    record.processId = 100;
    record.threadId = 101;
    record.correlationId = 102;
    record.returnValue = 2;
    decode(record);
    record.kind = CUPTI_ACTIVITY_KIND_DRIVER;
    decode(record);
    record.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    record.cbid = 60'000;  // a function newer than this CUPTI
    decode(record);

    const auto all = records();
    ASSERT_EQ(all.size(), 3U);
    const auto& runtime = std::get<spool::Api>(all[0]);
    EXPECT_EQ(texts_.at(runtime.name), "cudaMemcpyAsync");
    EXPECT_EQ(runtime.driver, 0U);
    EXPECT_EQ(runtime.process, 100U);
    EXPECT_EQ(runtime.thread, 101U);
    EXPECT_EQ(runtime.correlation, 102U);
    EXPECT_EQ(runtime.return_value, 2);
    const auto& driver = std::get<spool::Api>(all[1]);
    EXPECT_EQ(texts_.at(driver.name), "cuMemcpyHtoDAsync");
    EXPECT_EQ(driver.driver, 1U);
    EXPECT_EQ(std::get<spool::Api>(all[2]).name, 0U);
}

TEST_F(Decoding, says_which_recording_of_an_event_a_wait_waits_for) {
    CUpti_ActivityCudaEvent2 recording{};
    recording.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
    recording.eventId = 3;
    recording.cudaEventSyncId = 44;
    recording.deviceTimestamp = 123;
    recording.streamId = 7;
    decode(recording);
    CUpti_ActivitySynchronization2 wait{};
    wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    wait.start = 1;
    wait.end = 2;
    wait.streamId = 8;
    wait.cudaEventId = 3;
    wait.cudaEventSyncId = 44;
    decode(wait);

    const auto all = records();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(std::get<spool::EventRecording>(all[0]).event_sync, 44U);
    EXPECT_EQ(std::get<spool::EventRecording>(all[0]).device_time, 123U);
    const auto& read = std::get<spool::Synchronisation>(all[1]);
    EXPECT_EQ(read.event_sync, 44U);
    EXPECT_EQ(read.has_stream, 1);
    EXPECT_EQ(read.kind, static_cast<std::uint32_t>(SynchronisationKind::stream_wait_event));
}

TEST_F(Decoding, knows_a_wait_for_the_whole_context_has_no_stream_and_no_event) {
    CUpti_ActivitySynchronization2 wait{};
    wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
    wait.start = 1;
    wait.end = 2;
    wait.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    wait.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    decode(wait);
    const auto read = only_record<spool::Synchronisation>();
    EXPECT_EQ(read.has_stream, 0);
    EXPECT_EQ(read.has_event, 0);
    EXPECT_EQ(read.event_sync, 0U);
}

TEST_F(Decoding, keeps_the_limits_of_a_device) {
    CUpti_ActivityDevice5 record{};
    record.kind = CUPTI_ACTIVITY_KIND_DEVICE;
    record.name = "NVIDIA H200";
    record.numMultiprocessors = 132;
    record.maxWarpsPerMultiprocessor = 64;
    record.numThreadsPerWarp = 32;
    record.maxBlocksPerMultiprocessor = 32;
    record.maxRegistersPerMultiprocessor = 65'536;
    record.maxSharedMemoryPerMultiprocessor = 233'472;
    record.computeCapabilityMajor = 9;
    decode(record);
    const auto read = only_record<spool::Device>();
    EXPECT_EQ(texts_.at(read.name), "NVIDIA H200");
    EXPECT_EQ(read.multiprocessors, 132U);
    EXPECT_EQ(read.threads_per_multiprocessor, 2'048U);  // 64 warps of 32 threads
    EXPECT_EQ(read.blocks_per_multiprocessor, 32U);
    EXPECT_EQ(read.shared_memory_per_multiprocessor, 233'472U);
    EXPECT_EQ(read.capability_major, 9U);
}

TEST_F(Decoding, keeps_the_sign_of_a_stream_s_priority) {
    CUpti_ActivityStream record{};
    record.kind = CUPTI_ACTIVITY_KIND_STREAM;
    record.contextId = 1;
    record.streamId = 13;
    record.priority = static_cast<std::uint32_t>(-5);
    record.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
    decode(record);
    const auto read = only_record<spool::Stream>();
    EXPECT_EQ(read.priority, -5);
    EXPECT_EQ(read.flag, static_cast<std::uint32_t>(StreamFlag::non_blocking));
}

TEST_F(Decoding, knows_allocations_from_releases) {
    CUpti_ActivityMemory4 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
    record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    record.address = 0x7f00;
    record.bytes = 4'096;
    record.timestamp = 50;
    decode(record);
    record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    decode(record);
    const auto all = records();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(std::get<spool::MemoryOperation>(all[0]).release, 0);
    EXPECT_EQ(std::get<spool::MemoryOperation>(all[0]).kind, MemoryKind::pinned);
    EXPECT_EQ(std::get<spool::MemoryOperation>(all[1]).release, 1);
}

TEST_F(Decoding, tells_the_recorder_s_own_overhead_from_the_program_s) {
    CUpti_ActivityOverhead3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    record.start = 1;
    record.end = 2;
    record.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    record.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    record.objectId.pt.threadId = 31;
    decode(record);
    record.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
    record.objectKind = CUPTI_ACTIVITY_OBJECT_CONTEXT;
    decode(record);
    const auto all = records();
    ASSERT_EQ(all.size(), 2U);
    const auto& queue_full = std::get<spool::Overhead>(all[0]);
    EXPECT_EQ(queue_full.kind, static_cast<std::uint32_t>(OverheadKind::command_buffer_full));
    EXPECT_EQ(queue_full.thread, 31U);
    const auto& own = std::get<spool::Overhead>(all[1]);
    EXPECT_EQ(own.kind, static_cast<std::uint32_t>(OverheadKind::buffer_flush));
    EXPECT_EQ(own.thread, 0U);
}

TEST_F(Decoding, keeps_both_ends_of_a_range_and_no_single_mark) {
    CUpti_ActivityMarker2 record{};
    record.kind = CUPTI_ACTIVITY_KIND_MARKER;
    record.flags = CUPTI_ACTIVITY_FLAG_MARKER_START;
    record.timestamp = 10;
    record.id = 6;
    record.name = "step";
    record.objectId.pt.threadId = 31;
    decode(record);
    record.flags = CUPTI_ACTIVITY_FLAG_MARKER_END;
    record.timestamp = 20;
    record.name = nullptr;
    decode(record);
    record.flags = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
    decode(record);
    const auto all = records();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(std::get<spool::Marker>(all[0]).edge, spool::MarkerEdge::start);
    EXPECT_EQ(texts_.at(std::get<spool::Marker>(all[0]).name), "step");
    EXPECT_EQ(std::get<spool::Marker>(all[1]).edge, spool::MarkerEdge::end);
    EXPECT_EQ(std::get<spool::Marker>(all[1]).id, 6U);
}

TEST_F(Decoding, keeps_the_link_of_a_gpu_and_not_that_of_a_bridge) {
    CUpti_ActivityPcie record{};
    record.kind = CUPTI_ACTIVITY_KIND_PCIE;
    record.type = CUPTI_PCIE_DEVICE_TYPE_BRIDGE;
    decode(record);
    record.type = CUPTI_PCIE_DEVICE_TYPE_GPU;
    record.id.devId = 2;
    record.pcieGeneration = 5;
    record.linkWidth = 16;
    decode(record);
    const auto read = only_record<spool::Link>();
    EXPECT_EQ(read.device, 2U);
    EXPECT_EQ(read.generation, 5U);
    EXPECT_EQ(read.width, 16U);
}

TEST_F(Decoding, counts_records_that_nobody_asked_for) {
    CUpti_ActivityEnvironment record{};
    record.kind = CUPTI_ACTIVITY_KIND_ENVIRONMENT;
    decode(record);
    EXPECT_TRUE(records().empty());
    EXPECT_EQ(decoder_.unknown_records(), 1U);
}

}  // namespace
}  // namespace overcast::injection
