#include "report/html/timeline_section.hpp"

#include "report/html/timeline_blocks.hpp"
#include "report/html/timeline_json.hpp"
#include "tests/support/workload_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using test::WorkloadBuilder;
using namespace test;
using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

TimelineEntry entry(Engine engine, Duration start, Duration end, WaitReason reason) {
    TimelineEntry result;
    result.call_start = TimelineTime{start / 2};
    result.call_end = TimelineTime{start / 2 + 1ns};
    result.device_start = TimelineTime{start};
    result.device_end = TimelineTime{end};
    result.channel = ChannelId{3};
    result.engine = engine;
    result.waited_for = reason;
    result.on_device = true;
    return result;
}

/// A copy of 64 bytes, a kernel behind it, and the wait for both.
struct SmallRun {
    SmallRun() {
        program.on(1).h2d(64_B).kernel(8, 50ns).synchronise(1);
        timeline.entries = {entry(Engine::h2d, 10ns, 74ns, WaitReason::none),
                            entry(Engine::sm, 74ns, 124ns, WaitReason::stream_order),
                            {}};
        timeline.entries[2].call_start = TimelineTime{60ns};
        timeline.entries[2].call_end = TimelineTime{130ns};
        timeline.wall = 130ns;
        timeline.device = 114ns;
    }
    WorkloadBuilder program;
    Timeline timeline;
};

TEST(TimelineJson, has_a_column_for_each_property) {
    const SmallRun run;
    const auto json = Json::parse(operations_json(run.program.workload(), run.timeline));
    EXPECT_EQ(json["wall_ns"], 130);
    EXPECT_EQ(json["device_ns"], 114);
    EXPECT_EQ(json["operations"], Json::parse(R"({
        "name": [0, 1, 1], "call": [1, 1, 1], "kind": [0, 4, 6], "call_kind": [5, 5, 6],
        "stream": [1, 1, 1], "thread": [0, 0, 0], "unit": [null, null, null],
        "bytes": [64, null, null], "shape": [null, 2, null],
        "call_start_ns": [5, 37, 60], "call_end_ns": [6, 38, 130],
        "start_ns": [10, 74, null], "end_ns": [74, 124, null], "engine": [1, 3, null],
        "channel": [3, 3, null], "waited_for": [0, 2, null], "waited_operation": [null, 0, null]})"));
    EXPECT_EQ(json["kinds"][4], "kernel");
    EXPECT_EQ(json["engines"][3], "sm");
    EXPECT_EQ(json["reasons"][2], "stream order");
    EXPECT_EQ(json["names"][0], "Memcpy HtoD (Pinned -> Device)");
    EXPECT_EQ(json["names"][2], "grid 8 × 1 × 1, block 1024 × 1 × 1");
}

TEST(TimelineSection, puts_panels_beside_each_other) {
    const SmallRun run;
    const auto json =
        Json::parse(timeline_section({{"a run",
                                       {{"predicted", run.program.workload(), run.timeline},
                                        {"measured", run.program.workload(), run.timeline}}}},
                                     "left out: two")
                        .json);
    EXPECT_EQ(json["note"], "left out: two");
    ASSERT_EQ(json["views"].size(), 1U);
    EXPECT_EQ(json["views"][0]["panels"][1]["title"], "measured");
    EXPECT_EQ(json["views"][0]["panels"][1]["timeline"]["operations"]["name"].size(), 3U);
}

/// `count` copies of 1 us, one every 2 us, each called when the one before it ends.
Timeline copies(std::size_t count, WorkloadBuilder& program) {
    Timeline timeline;
    for (std::size_t i = 0; i < count; ++i) {
        program.on(0).h2d(1_B);
        const auto start = 2us * static_cast<Duration::rep>(i);
        timeline.entries.push_back(entry(Engine::h2d, start, start + 1us, WaitReason::none));
        timeline.wall = start + 1us;
    }
    return timeline;
}

TEST(TimelineBlocks, sum_up_neighbours_on_each_track) {
    WorkloadBuilder program;
    const auto timeline = copies(1000, program);
    // Three tracks (stream, engine, host) share 300 places: 100 each, so 2 * 1,999 us / 100 wide.
    const auto result = timeline_blocks(program.workload(), timeline, 300);
    EXPECT_EQ(result.operations, 1000U);
    EXPECT_EQ(result.width, 39'980ns);
    EXPECT_LE(result.blocks.size(), 303U);
    Duration busy{};
    std::uint64_t count = 0;
    for (const auto& block : result.blocks) {
        if (block.track.group == TrackGroup::engine) {
            EXPECT_LE(block.end - block.start, result.width);
            EXPECT_EQ(block.track.index, static_cast<std::uint32_t>(Engine::h2d));
            busy += block.busy;
            count += block.count;
        }
    }
    EXPECT_EQ(count, 1000U);  // none is lost, none is counted twice
    EXPECT_EQ(busy, 1000us);
}

TEST(TimelineBlocks, leave_a_long_operation_alone) {
    WorkloadBuilder program;
    auto timeline = copies(100, program);
    timeline.entries[50].device_end += 1ms;
    timeline.wall += 1ms;
    const auto result = timeline_blocks(program.workload(), timeline, 90);
    EXPECT_THAT(result.blocks, ::testing::Contains(::testing::AllOf(
                                   ::testing::Field(&TimelineBlock::count, 1U),
                                   ::testing::Field(&TimelineBlock::busy, 1'001us))));
}

TEST(TimelineSection, sums_up_beyond_what_a_page_can_show) {
    WorkloadBuilder program;
    const auto timeline = copies(kMostOperationsOnPage + 1, program);
    const auto json =
        Json::parse(timeline_section({{"", {{"", program.workload(), timeline}}}}).json);
    const auto& panel = json["views"][0]["panels"][0]["timeline"];
    EXPECT_FALSE(panel.contains("operations"));
    EXPECT_EQ(panel["operation_count"], kMostOperationsOnPage + 1);
    EXPECT_EQ(panel["blocks"]["start_ns"].size(), panel["blocks"]["count"].size());
}

}  // namespace
}  // namespace overcast
