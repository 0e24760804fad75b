// Damages valid traces in many ways, always the same ones: each must be read soundly or refused.
#include "formats/chrome_trace_writer.hpp"
#include "tests/fuzz/read_any_bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace overcast::test {
namespace {

constexpr std::uint32_t kSeed = 20'251'120;

TraceTime at(std::int64_t nanoseconds) { return TraceTime{Duration{nanoseconds}}; }

Trace small_trace() {
    Trace trace;
    trace.producer = "overcast";
    trace.environment = {{"CUDA_DEVICE_MAX_CONNECTIONS", "8"}};
    trace.devices.emplace_back().name = "NVIDIA H200";
    trace.contexts = {{ContextId{1}, DeviceId{0}, StreamId{7}}};
    trace.streams = {{ContextId{1}, StreamId{13}, StreamFlag::non_blocking, -1}};
    trace.recorded_ranges = {{at(1'000), at(9'000)}};
    trace.api_calls = {
        {at(1'000), at(2'001), CorrelationId{1}, trace.names.intern("cudaMemcpyAsync"),
         ProcessId{42}, ThreadId{42}, 0, ApiDomain::runtime},
        {at(1'500), at(1'900), CorrelationId{1}, trace.names.intern("cuMemcpyHtoDAsync_v2"),
         ProcessId{42}, ThreadId{42}, -3, ApiDomain::driver}};
    DeviceActivity activity;
    activity.start = at(3'000);
    activity.end = at(4'000);
    activity.correlation = CorrelationId{1};
    activity.context = ContextId{1};
    activity.stream = StreamId{13};
    activity.channel = Channel{ChannelId{5}, ChannelType::copy};
    activity.queued = at(1'700);
    activity.what = TracedCopy{
        CopyKind::host_to_device, MemoryKind::pinned, MemoryKind::device, true, Bytes{4096},
        Address{0x1000},          Address{0x2000}};
    trace.activities.push_back(activity);
    activity.start = at(3'900);
    activity.what = TracedKernel{trace.names.intern("void f<int>(\"a\")"), {}};
    trace.activities.push_back(activity);
    activity.what = TracedMemset{Bytes{16}, 7, false, Address{0x3000}};
    trace.activities.push_back(activity);
    trace.synchronisations = {{at(4'100), at(5'000), CorrelationId{2}, ContextId{1},
                               SynchronisationKind::event, StreamId{13}, CudaEventId{3},
                               EventSyncId{9}, CorrelationId{4}}};
    trace.event_recordings = {
        {CorrelationId{4}, ContextId{1}, StreamId{13}, CudaEventId{3}, EventSyncId{9}, at(4'000)}};
    trace.memory_operations = {{at(900), CorrelationId{5}, ProcessId{42}, MemoryKind::pinned, false,
                                true, Address{0x1000}, Bytes{4096}}};
    trace.overheads = {{at(950), at(980), OverheadKind::buffer_flush, ThreadId{42}}};
    trace.ranges = {{at(800), at(6'000), trace.names.intern("step"), ProcessId{42}, ThreadId{42}}};
    return trace;
}

std::string text_of(const Trace& trace) {
    std::ostringstream text;
    StreamSink sink{text};
    write_chrome_trace(trace, sink);
    return text.str();
}

std::string gzip_of(const Trace& trace) {
    const auto file = std::filesystem::path{::testing::TempDir()} / "overcast_mutation.json.gz";
    write_chrome_trace(trace, file);
    std::ifstream stream{file, std::ios::binary};
    std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
    std::filesystem::remove(file);
    return bytes;
}

/// One of the texts that confuse readers of JSON and of numbers.
std::string_view confusing(std::mt19937& random) {
    constexpr std::array<std::string_view, 32> kTexts{"\"",
                                                      "\\",
                                                      "{",
                                                      "}",
                                                      "[",
                                                      "]",
                                                      ",",
                                                      ":",
                                                      "null",
                                                      "true",
                                                      "-",
                                                      "0",
                                                      "1e999",
                                                      "1e-9",
                                                      "0.0005",
                                                      "NaN",
                                                      "-1",
                                                      "Infinity",
                                                      "\n",
                                                      "\xff",
                                                      "\\u0000",
                                                      "\\ud800",
                                                      "\xc3\xa9",
                                                      "4294967296",
                                                      "18446744073709551616",
                                                      "9223372036854775807",
                                                      "2305843009213693.952",
                                                      "0x",
                                                      "{}",
                                                      "[[[[[[[[",
                                                      "\"args\":{",
                                                      "\"traceEvents\":["};
    return kTexts[random() % kTexts.size()];
}

void mutate_once(std::string& text, std::mt19937& random) {
    if (text.empty()) {
        text = confusing(random);
        return;
    }
    const auto place = random() % text.size();
    const auto length = 1 + random() % std::min<std::size_t>(text.size() - place, 60);
    switch (random() % 7) {
        case 0:
            text[place] =
                static_cast<char>(static_cast<unsigned char>(text[place]) ^ (1U << random() % 8));
            break;
        case 1: text[place] = static_cast<char>(random()); break;
        case 2: text.erase(place, length); break;
        case 3: text.insert(random() % text.size(), text.substr(place, length)); break;
        case 4: text.insert(place, confusing(random)); break;
        case 5: text.replace(place, length, confusing(random)); break;
        case 6:
            if (random() % 8 == 0) text.resize(place);
            break;
    }
}

using FaultIn = std::string (*)(std::string_view, std::size_t, ReadCount&);

/// Counts how many of `rounds` damaged copies of `whole` were read and refused.
ReadCount damage(const std::string& whole, std::uint32_t rounds, bool keep_magic,
                 FaultIn fault_in = fault_in_reading) {
    ReadCount count;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        std::mt19937 random{kSeed + round};
        auto text = whole;
        const auto changes = 1 + random() % 4;
        for (std::uint32_t i = 0; i < changes; ++i) mutate_once(text, random);
        if (keep_magic && text.size() > 2) text.replace(0, 2, whole, 0, 2);
        const auto chunk = std::size_t{1} << (random() % 13);
        EXPECT_EQ(fault_in(text, chunk, count), "") << "seed " << kSeed + round;
    }
    return count;
}

TEST(TraceMutation, damaged_json_is_read_soundly_or_refused) {
    constexpr std::uint32_t kRounds = 6'000;
    const auto whole = text_of(small_trace());
    ASSERT_EQ(fault_in_reading(whole, 4096), "");
    const auto count = damage(whole, kRounds, false);
    EXPECT_EQ(count.read + count.refused, kRounds);
    // Damage that always (or never) shows would be no test.
    EXPECT_GT(count.read, kRounds / 20);
    EXPECT_GT(count.refused, kRounds / 20);
}

TEST(TraceMutation, damaged_compression_is_read_soundly_or_refused) {
    constexpr std::uint32_t kRounds = 3'000;
    const auto count = damage(gzip_of(small_trace()), kRounds, true);
    EXPECT_EQ(count.read + count.refused, kRounds);
    EXPECT_GT(count.refused, kRounds / 2);  // the checksum tells
}

TEST(TraceMutation, damaged_nvprof_tables_are_read_soundly_or_refused) {
    constexpr std::uint32_t kRounds = 3'000;
    std::ifstream file{std::filesystem::path{OVERCAST_SOURCE_DIR} /
                       "tests/data/nvprof/vecadd_23000_2streams.csv"};
    const std::string whole{std::istreambuf_iterator<char>{file}, {}};
    ASSERT_EQ(fault_in_reading_nvprof(whole, 4096), "");
    const auto count = damage(whole, kRounds, false, fault_in_reading_nvprof);
    EXPECT_EQ(count.read + count.refused, kRounds);
    EXPECT_GT(count.read, kRounds / 20);
    EXPECT_GT(count.refused, kRounds / 20);
}

}  // namespace
}  // namespace overcast::test
