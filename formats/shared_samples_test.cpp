// Traces of others, where they are at hand (tests/support/shared_samples.hpp).
#include "tests/support/shared_samples.hpp"
#include "formats/format_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace overcast {
namespace {

/// nullopt, said on a line of its own, where the file is not at hand.
std::optional<Trace> read_shared(const std::string& name) {
    const auto file = ::overcast::testing::shared_data() / name;
    if (!std::filesystem::exists(file)) {
        std::printf("SharedSamples: NOT TESTED on %s: there is no such file\n", file.c_str());
        return std::nullopt;
    }
    return read_trace(file);
}

template <typename What>
auto count_of(const Trace& trace) {
    return std::ranges::count_if(trace.activities, [](const DeviceActivity& activity) {
        return std::holds_alternative<What>(activity.what);
    });
}

TEST(SharedSamples, an_nsys_export_of_two_gpus_is_read_whole) {
    const auto trace = read_shared("nsys/h100_2gpu_1s.sqlite");
    if (!trace) {
        return;
    }
    // As SELECT count(*) says.
    EXPECT_EQ(count_of<TracedKernel>(*trace), 3'442);
    EXPECT_EQ(count_of<TracedCopy>(*trace), 904);
    EXPECT_EQ(count_of<TracedMemset>(*trace), 22);
    EXPECT_EQ(trace->synchronisations.size(), 244U);
    EXPECT_EQ(trace->api_calls.size(), 5'796U);
    EXPECT_EQ(trace->ranges.size(), 16'782U);
    EXPECT_EQ(trace->overheads.size(), 198U);
    EXPECT_EQ(trace->streams.size(), 314U);
}

TEST(SharedSamples, an_nsys_export_joins_work_to_calls_of_its_own_process) {
    const auto trace = read_shared("nsys/h100_2gpu_1s.sqlite");
    if (!trace) {
        return;
    }
    std::unordered_map<CorrelationId, ProcessId> callers;
    for (const auto& call : trace->api_calls) {
        EXPECT_TRUE(callers.try_emplace(call.correlation, call.process).second);
    }
    std::map<DeviceId, std::set<ProcessId>> users;
    for (const auto& activity : trace->activities) {
        if (const auto caller = callers.find(activity.correlation); caller != callers.end()) {
            users[activity.device].insert(caller->second);
        }
    }
    const std::map<DeviceId, std::set<ProcessId>> expected{{DeviceId{0}, {ProcessId{111}}},
                                                           {DeviceId{1}, {ProcessId{112}}}};
    EXPECT_EQ(users, expected);
}

TEST(SharedSamples, a_pytorch_trace_ties_waits_to_records_on_other_streams) {
    const auto trace = read_shared("kineto/event_sync_multi_stream.json.gz");
    if (!trace) {
        return;
    }
    std::set<StreamId> streams;
    for (const auto& activity : trace->activities) {
        streams.insert(activity.stream);
    }
    EXPECT_EQ(streams, (std::set{StreamId{20}, StreamId{24}, StreamId{28}}));
    const auto wait = std::ranges::find(
        trace->synchronisations, SynchronisationKind::stream_wait_event, &Synchronisation::kind);
    ASSERT_NE(wait, trace->synchronisations.end());
    EXPECT_EQ(wait->stream, StreamId{24});
    EXPECT_EQ(wait->record_stream, StreamId{20});
    const auto record =
        std::ranges::find(trace->api_calls, wait->record_correlation,
                          [](const ApiCall& call) { return std::optional{call.correlation}; });
    ASSERT_NE(record, trace->api_calls.end());
    EXPECT_EQ(trace->names[record->name], "cudaEventRecord");
}

}  // namespace
}  // namespace overcast
