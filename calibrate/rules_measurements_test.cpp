// Channels by connections, order of service, overlap, implicit waits.
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace test;

/// One operation of each kind in each of the channels, in that order of issue.
Phase fresh_process(const std::vector<std::uint32_t>& channels) {
    std::vector<Slot> slots;
    for (const auto channel : channels) {
        const auto at = Duration{static_cast<Duration::rep>(slots.size())};
        for (const auto kind : {ActivityKind::h2d, ActivityKind::d2h, ActivityKind::kernel}) {
            slots.push_back({kind, at, at + 1ns, 1, channel, 1, ChannelType::copy, at});
        }
    }
    return phase("", 0, 0, slots);
}

TEST(MeasureConnections, takes_the_channels_of_each_setting_in_the_order_of_their_first_use) {
    const auto draft = Runs{}
                           .traced_under(1, "channels", {fresh_process({0, 0, 0})})
                           .traced_under(8, "channels", {fresh_process({1, 0, 1, 2})})
                           .draft_after(measure_connections);
    const auto& found = draft.model.channels.by_connections;
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].connections, 1U);
    EXPECT_THAT(found[0].h2d, ElementsAre(0));
    EXPECT_EQ(found[1].connections, 8U);
    EXPECT_THAT(found[1].compute, ElementsAre(1, 0, 2));
    EXPECT_THAT(draft.notes.parameters.at("channels.by_connections").source,
                HasSubstr("8: 3 compute, 3 H2D, 3 D2H); valid from 1 to 8"));
}

TEST(MeasureConnections, needs_one_setting_that_ran) {
    EXPECT_THROW(Runs{}.draft_after(measure_connections), ModelFileError);
}

TEST(MeasureChannelRules, expect_an_empty_channel_before_a_less_recently_used_one) {
    // Issued at 0, 1 and 5 us: the first still waits at 5 us, the second has started by then.
    const auto third_on = [](std::uint32_t channel) {
        const auto draft =
            Runs{}
                .traced(
                    "channel_rules",
                    {phase("ownership", 0, 0,
                           {{ActivityKind::kernel, 10us, 11us, 0, 0, 1, ChannelType::compute, 0us},
                            {ActivityKind::kernel, 2us, 12us, 0, 1, 2, ChannelType::compute, 1us},
                            {ActivityKind::kernel, 13us, 14us, 0, channel, 3, ChannelType::compute,
                             5us}})})
                .draft_after(measure_channel_rules);
        return draft.notes.rules.at(1);
    };
    EXPECT_EQ(third_on(1).rule, "channel-ownership of kernels");
    EXPECT_EQ(third_on(1).kept, 1U);
    EXPECT_EQ(third_on(1).of, 1U);
    EXPECT_EQ(third_on(0).kept, 0U);
}

/// Twelve copies, numbered by their issue, on the channel of each, served in this order; each takes
/// 1 us. `beside`: they start before the one before has ended.
Phase served(const std::string& quantity, const std::vector<int>& order,
             const std::vector<std::uint32_t>& channel_of, bool beside = false) {
    std::vector<Slot> slots;
    Duration at{};
    for (const int issued : order) {
        const auto channel = channel_of[static_cast<std::size_t>(issued)];
        slots.push_back({ActivityKind::h2d, at, at + (beside ? 2us : 1us), 1, channel, channel,
                         ChannelType::copy, Duration{issued}});
        at += 1us;
    }
    return phase(quantity, 2, 0, slots);
}

const std::vector<std::uint32_t> kInTurn{10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11};
const std::vector<std::uint32_t> kByStream{10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11};
const std::vector<int> kAsIssued{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
const std::vector<int> kEvenFirst{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11};
const std::vector<int> kInterleaved{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11};

CopyService service_of(const Phase& in_turn, const Phase& by_stream) {
    return Runs{}
        .traced("channel_rules", {in_turn, by_stream, in_turn, by_stream})
        .draft_after(measure_copy_service)
        .model.copy_service;
}

TEST(MeasureCopyService, tells_each_order_of_service_from_the_others) {
    // Issued in turn and by stream: the drained channel first; as issued; turn by turn whoever
    // waited longer; several at once.
    EXPECT_EQ(service_of(served("service", kEvenFirst, kInTurn),
                         served("service_depth", kAsIssued, kByStream)),
              CopyService::drain);
    EXPECT_EQ(service_of(served("service", kAsIssued, kInTurn),
                         served("service_depth", kAsIssued, kByStream)),
              CopyService::fifo_by_issue);
    EXPECT_EQ(service_of(served("service", kAsIssued, kInTurn),
                         served("service_depth", kInterleaved, kByStream)),
              CopyService::fifo_by_readiness);
    EXPECT_EQ(service_of(served("service", kAsIssued, kInTurn, true),
                         served("service_depth", kInterleaved, kByStream, true)),
              CopyService::fair_share);
}

TEST(MeasureCopyService, counts_what_each_order_explains) {
    // After each of the first five copies both channels have more; the sixth empties one of them,
    // so that nothing is left to decide: 5 decisions in each of four phases.
    const auto draft = Runs{}
                           .traced("channel_rules", {served("service", kEvenFirst, kInTurn),
                                                     served("service_depth", kAsIssued, kByStream),
                                                     served("service", kEvenFirst, kInTurn),
                                                     served("service_depth", kAsIssued, kByStream)})
                           .draft_after(measure_copy_service);
    ASSERT_EQ(draft.notes.rules.size(), 1U);
    EXPECT_EQ(draft.notes.rules[0].rule, "engine-drain");
    EXPECT_EQ(draft.notes.rules[0].kept, draft.notes.rules[0].of);
    EXPECT_EQ(draft.notes.rules[0].of, 20U);
    EXPECT_THAT(draft.notes.rules[0].instead, HasSubstr("all at once: 0 of 20"));
}

TEST(MeasureCopyService, leaves_the_default_where_no_order_explains_what_was_seen) {
    const std::vector<int> mixed{0, 2, 1, 3, 4, 6, 5, 7, 9, 8, 10, 11};
    EXPECT_THROW(service_of(served("service", mixed, kInTurn),
                            served("service_depth", kInterleaved, kByStream)),
                 ModelFileError);
    EXPECT_THROW(Runs{}
                     .traced("channel_rules", {served("service", kEvenFirst, kInTurn)})
                     .draft_after(measure_copy_service),
                 ModelFileError);  // five decisions are too few
}

Phase pair_of(double bytes, Duration second_start) {
    return phase("overlap", bytes, 0,
                 {{ActivityKind::h2d, 0us, 100us, 1}, {ActivityKind::h2d, second_start, 250us, 1}});
}

TEST(MeasureCopyOverlap, finds_no_threshold_where_copies_serialise) {
    const auto draft =
        Runs{}
            .traced("copy_overlap", {pair_of(1 << 20, 101us), pair_of(1 << 22, 102us)})
            .draft_after(measure_copy_overlap);
    EXPECT_FALSE(draft.model.transfer_overlap_threshold);
    EXPECT_THAT(draft.notes.parameters.at("h2d.overlap_threshold_ns").source,
                HasSubstr("1048576 to 4194304 B, both directions: the second copy began before the "
                          "first had ended in 0 of 2 pairs"));
}

TEST(MeasureCopyOverlap, takes_the_offset_after_which_the_second_copy_starts) {
    const auto draft = Runs{}
                           .traced("copy_overlap", {pair_of(1, 101us), pair_of(2, 40us),
                                                    pair_of(3, 42us), pair_of(4, 44us)})
                           .draft_after(measure_copy_overlap);
    EXPECT_EQ(draft.model.transfer_overlap_threshold, 42us);
}

std::string waits(const std::string& quantity, int run, int took) {
    return "sample " + quantity + " " + std::to_string(run) + " " + std::to_string(took) + "\n";
}

TEST(MeasureImplicitWaits, counts_who_waited_and_takes_the_time_of_a_host_function) {
    constexpr int kRun = 1'000'000;
    std::string text;
    for (const std::string call : {"cudaMalloc", "cudaMallocHost", "cudaMallocAsync",
                                   "cudaFreeAsync", "cudaStreamCreate", "cudaMemcpy"}) {
        text += waits("beside_" + call, kRun, 600'000);
    }
    text += waits("beside_cudaMemset", kRun, 1'000'000);
    text += waits("beside_cudaFree", kRun, 990'000) + waits("beside_cudaFreeHost", kRun, 20'000);
    text += waits("default_blocking", 500'000, 1'510'000);
    text += waits("default_non_blocking", 500'000, 510'000);
    text += waits("kernel_beside_host_function", kRun, 8'000);
    text += waits("kernel_behind_host_function", kRun, 1'020'000);
    // Ten more pairs take 200 us more.
    text += waits("host_function_chain", 1, 25'000) + waits("host_function_chain", 11, 225'000);
    const auto draft = Runs{}.untraced("implicit_waits", text).draft_after(measure_implicit_waits);
    const auto& rules = draft.notes.rules;
    ASSERT_EQ(rules.size(), 3U);
    EXPECT_EQ(rules[0].rule, "implicit-sync");
    EXPECT_EQ(rules[0].kept, 1U);  // cudaFreeHost did not
    EXPECT_EQ(rules[0].of, 2U);
    EXPECT_THAT(rules[0].instead, HasSubstr("cudaMallocHost 0 of 1"));
    EXPECT_THAT(rules[0].instead, HasSubstr("cudaMemset 1 of 1"));
    EXPECT_EQ(rules[1].kept, 1U);
    EXPECT_EQ(rules[1].instead, "non-blocking streams wait too: 0 of 1");
    EXPECT_EQ(rules[2].instead, "it holds up another stream: 0 of 1");
    EXPECT_EQ(draft.model.host.host_function, 20us);
}

TEST(MeasurePlacement, counts_where_blocks_went_and_says_when_sms_had_read) {
    std::string text =
        "value placement_programs 78\nvalue placement_most_fit 76\n"
        "value placement_most_threads 17\n";
    for (int sm = 1; sm <= 12; ++sm) {
        text += "sample placement_l2_read " + std::to_string(sm) + (sm <= 6 ? " 730\n" : " 1000\n");
    }
    const auto draft = Runs{}.untraced("placement", text).draft_after(measure_placement);
    ASSERT_EQ(draft.notes.rules.size(), 1U);
    EXPECT_EQ(draft.notes.rules[0].kept, 76U);
    EXPECT_EQ(draft.notes.rules[0].of, 78U);
    EXPECT_EQ(draft.notes.rules[0].instead, "to the one with the most free threads: 17 of 78");
    ASSERT_EQ(draft.notes.observations.size(), 1U);
    const auto& points = draft.notes.observations[0].points;
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].second.value, 730);
    EXPECT_EQ(points[1].second.value, 1000);
    EXPECT_THROW(Runs{}.untraced("placement", "").draft_after(measure_placement), Error);
}

}  // namespace
}  // namespace overcast
