#include "calibrate/measurements.hpp"

#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace test;

/// Four copies, one after the other, of which two warm up.
Phase copies_of(const std::string& quantity, ActivityKind kind, std::uint64_t bytes,
                Duration each) {
    std::vector<Slot> slots;
    for (int i = 0; i < 4; ++i) {
        slots.push_back({kind, i * 10ms, i * 10ms + each, bytes});
    }
    return phase(quantity, static_cast<double>(bytes), 0, slots);
}

TEST(MeasureCopies, finds_latency_and_bandwidth_of_both_directions) {
    // H2D: 2 us + bytes at 50 B/ns; D2H: 1 us + bytes at 25 B/ns.
    std::vector<Phase> phases;
    for (const std::uint64_t bytes : {100'000U, 1'000'000U, 10'000'000U}) {
        const auto count = static_cast<Duration::rep>(bytes);
        phases.push_back(copies_of("h2d", ActivityKind::h2d, bytes, 2us + Duration{count / 50}));
        phases.push_back(copies_of("d2h", ActivityKind::d2h, bytes, 1us + Duration{count / 25}));
    }
    const auto draft = Runs{}.traced("copies", phases).draft_after(measure_copies);
    EXPECT_EQ(draft.model.h2d.latency, 2us);
    EXPECT_NEAR(draft.model.h2d.bandwidth.bytes_per_s(), 50e9, 1e3);
    EXPECT_EQ(draft.model.d2h.latency, 1us);
    EXPECT_NEAR(draft.model.d2h.bandwidth.bytes_per_s(), 25e9, 1e3);
    const auto& note = draft.notes.parameters.at("h2d.bandwidth_bytes_per_s");
    EXPECT_THAT(note.source, HasSubstr("traced"));
    EXPECT_THAT(note.source, HasSubstr("driver 1, CUDA 2, today"));
    EXPECT_EQ(note.fit->valid_to, 10'000'000);
}

TEST(MeasureCopies, leaves_out_what_travelled_inline) {
    auto inline_phase = copies_of("h2d", ActivityKind::h2d, 1000, 700ns);
    for (auto& activity : inline_phase.activities) {
        activity.channel.type = ChannelType::compute;
    }
    std::vector<Phase> phases{inline_phase};
    for (const std::uint64_t bytes : {100'000U, 200'000U, 300'000U}) {
        for (const auto kind : {ActivityKind::h2d, ActivityKind::d2h}) {
            phases.push_back(copies_of(kind == ActivityKind::h2d ? "h2d" : "d2h", kind, bytes,
                                       5us + Duration{static_cast<Duration::rep>(bytes / 100)}));
        }
    }
    EXPECT_EQ(Runs{}.traced("copies", phases).draft_after(measure_copies).model.h2d.latency, 5us);
}

TEST(MeasureTurnaround, is_what_the_wall_time_per_copy_has_beyond_the_copy) {
    // 40 copies take 32 * 22 us longer than 8: 22 us each, 20 us of them the copy. On four channels
    // 1.5 us longer for three changes: 0.5 us more each.
    std::vector<Phase> phases;
    std::string text;
    for (const std::string chain : {"hh", "dd"}) {
        phases.push_back(copies_of(
            "chain_" + chain, chain == "hh" ? ActivityKind::h2d : ActivityKind::d2h, 1000, 20us));
        text += "sample chain_" + chain + "_8 1000 190000\nsample chain_" + chain +
                "_40 1000 894000\nsample spread_" + chain + "_1 1000 90000\nsample spread_" +
                chain + "_4 1000 91500\n";
    }
    const auto model = Runs{}
                           .traced("back_to_back", phases)
                           .untraced("back_to_back", text)
                           .draft_after(measure_turnaround)
                           .model;
    EXPECT_EQ(model.h2d.turnaround_same, 2us);
    EXPECT_EQ(model.h2d.turnaround_other, 2500ns);
    EXPECT_EQ(model.d2h.turnaround_same, 2us);
    EXPECT_EQ(model.gaps.base[static_cast<std::size_t>(GapKind::h2d_to_h2d)], 2us);
}

/// Copies of both directions, `alone` each, and six of them beside each other, back to back.
std::vector<Phase> duplex(std::uint64_t bytes, Duration alone, Duration h2d, Duration d2h) {
    std::vector<Slot> both;
    for (int i = 0; i < 6; ++i) {
        both.push_back({ActivityKind::h2d, i * h2d, (i + 1) * h2d, bytes});
        both.push_back({ActivityKind::d2h, i * d2h, (i + 1) * d2h, bytes});
    }
    const auto single = [&](ActivityKind kind) {
        return std::vector<Slot>(3, {kind, 0us, alone, bytes});
    };
    const auto size = static_cast<double>(bytes);
    return {phase("duplex_alone", size, 0, single(ActivityKind::h2d)),
            phase("duplex_alone", 0, size, single(ActivityKind::d2h)),
            phase("duplex_equal", size, size, both)};
}

TEST(MeasureDuplex, compares_with_the_same_copy_alone) {
    constexpr auto kBytes = std::uint64_t{1} << 20;
    const auto model = Runs{}
                           .traced("duplex", duplex(kBytes, 100us, 110us, 125us))
                           .draft_after(measure_duplex)
                           .model;
    EXPECT_THAT(model.h2d.duplex_factor.points(), ElementsAre(Curve::Point{kBytes, 1.1}));
    EXPECT_THAT(model.d2h.duplex_factor.points(), ElementsAre(Curve::Point{kBytes, 1.25}));
}

TEST(MeasureDuplex, prefers_what_chains_take_without_a_recording) {
    constexpr auto kBytes = std::uint64_t{1} << 16;
    // Further copies take 10 us alone, of which 2 are the turn-around, and 12 beside the others.
    const auto model = Runs{}
                           .traced("duplex", duplex(kBytes, 10us, 11us, 11us))
                           .untraced("duplex_chains",
                                     "sample duplex_h2d_alone_few 65536 100000\n"
                                     "sample duplex_h2d_alone_many 65536 420000\n"
                                     "sample duplex_h2d_beside_few 65536 100000\n"
                                     "sample duplex_h2d_beside_many 65536 484000\n")
                           .draft_after([](const ProbeRuns& runs, Draft& draft) {
                               draft.model.h2d.turnaround_same = 2us;
                               measure_duplex(runs, draft);
                           })
                           .model;
    EXPECT_THAT(model.h2d.duplex_factor.points(), ElementsAre(Curve::Point{kBytes, 1.25}));
    EXPECT_THAT(model.d2h.duplex_factor.points(), ElementsAre(Curve::Point{kBytes, 1.1}));
}

TEST(MeasureRecorderGap, is_what_small_copies_to_the_host_wait_longer_beside_a_large_one) {
    constexpr auto kLarge = std::uint64_t{1} << 27;
    const auto phases = [](const std::string& quantity) {
        return std::vector{phase(quantity, kLarge, 1 << 16,
                                 {{ActivityKind::h2d, 1us, 100us, kLarge},
                                  {ActivityKind::d2h, 0us, 5us, 1 << 16},
                                  {ActivityKind::d2h, 12us, 17us, 1 << 16},
                                  {ActivityKind::d2h, 25us, 30us, 1 << 16},
                                  {ActivityKind::d2h, 36us, 98us, 1 << 16},
                                  {ActivityKind::d2h, 150us, 155us, 1 << 16}})};
    };
    const auto draft =
        Runs{}
            .traced("duplex", phases("duplex_small_d2h"))
            .draft_after([](const ProbeRuns& runs, Draft& into) {
                into.model.d2h.turnaround_same = 200ns;
                into.model.tracing_cost.traced.gaps[static_cast<std::size_t>(GapKind::d2h_to_d2h)] =
                    1300ns;
                measure_recorder_gap(runs, into);
            });
    EXPECT_EQ(draft.model.tracing_cost.traced.gap_beside_h2d, 5500ns);  // of 6, 7 and 8 us
    EXPECT_THROW(Runs{}.traced("duplex", phases("duplex_equal")).draft_after(measure_recorder_gap),
                 ModelFileError);
}

TEST(MeasureInlineCopies, takes_the_largest_size_below_which_all_were_inline) {
    const auto of = [](const std::string& quantity, std::uint64_t limit) {
        std::vector<Slot> slots;
        for (std::uint64_t bytes = 256; bytes <= 2048; bytes += 256) {
            slots.push_back({ActivityKind::h2d, 0us, 1us, bytes, 1, 1,
                             bytes <= limit ? ChannelType::compute : ChannelType::copy});
        }
        return phase(quantity, 0, 0, slots);
    };
    const auto model =
        Runs{}
            .traced("inline_copies", {of("inline_pinned_idle", 1536), of("inline_pinned_busy", 512),
                                      of("inline_pageable", 2048)})
            .draft_after(measure_inline_copies)
            .model;
    EXPECT_EQ(model.inline_copies.pinned_idle_limit, Bytes{1536});
    EXPECT_EQ(model.inline_copies.pinned_limit, Bytes{512});
    EXPECT_EQ(model.inline_copies.pageable_limit, Bytes{2048});
    EXPECT_EQ(model.inline_copies.duration, 1us);
}

TEST(MeasureInlineCalls, takes_what_writing_the_data_adds_to_a_call) {
    auto draft = Runs{}
                     .untraced("inline_calls",
                               "sample call_h2d 1024 2100\nsample call_h2d 2048 1900\n"
                               "sample call_h2d 8192 2700\n"
                               "sample call_h2d 65536 1300\nsample call_h2d 98304 1300\n")
                     .draft_after([](const ProbeRuns& runs, Draft& made) {
                         made.model.inline_copies.pinned_idle_limit = Bytes{24576};
                         measure_inline_calls(runs, made);
                     });
    EXPECT_THAT(draft.model.inline_copies.call_ns.points(),
                ElementsAre(Curve::Point{0, 0}, Curve::Point{1024, 700}, Curve::Point{2048, 700},
                            Curve::Point{8192, 1400}));
}

TEST(MeasureWaitingSlowdown, finds_a_slope_per_number_of_channels_and_where_it_ends) {
    // Behind the head of each channel stand 0, 4, 8 or 16 kernels. Two channels: nothing. Three:
    // 0.5 % per kernel, four: 1 %; beyond 8 kernels no more. Where each waits for a copy of its
    // own: 0.75 and 1.5 %.
    std::string text;
    for (const auto& [name, each] :
         {std::pair{"waiting_for_copy", 500}, std::pair{"waiting_for_copies", 750}}) {
        text += fmt::format("sample {} 0 100000\n", name);
        for (const int channels : {2, 3, 4}) {
            for (const int kernels : {1, 5, 9, 17}) {
                const int more = each * (channels - 2) * std::min(kernels - 1, 8);
                text +=
                    fmt::format("sample {} {} {}\n", name, channels * 100 + kernels, 100000 + more);
            }
        }
    }
    const auto slowdown = Runs{}
                              .untraced("waiting_slowdown", text)
                              .draft_after(measure_waiting_slowdown)
                              .model.waiting_slowdown;
    EXPECT_EQ(slowdown.most_entries, 8);
    EXPECT_EQ(slowdown.per_entry.linear(2), 0);
    EXPECT_NEAR(slowdown.per_entry.linear(3), 0.00625, 1e-9);
    EXPECT_NEAR(slowdown.per_entry.linear(4), 0.0125, 1e-9);
}

TEST(MeasureWaitingSlowdown, takes_the_slope_of_the_middle_process) {
    Runs runs;
    for (const int each : {900, 400, 1000}) {  // per kernel, of 100 us
        std::string text = "sample waiting_for_copy 0 100000\n";
        for (const int kernels : {401, 405, 409}) {
            text += fmt::format("sample waiting_for_copy {} {}\n", kernels,
                                100000 + each * (kernels - 401));
        }
        runs.untraced("waiting_slowdown", text);
    }
    const auto slowdown = runs.draft_after(measure_waiting_slowdown).model.waiting_slowdown;
    EXPECT_NEAR(slowdown.per_entry.linear(4), 0.009, 1e-9);
}

TEST(MeasureSlowdownToHost, finds_how_copies_slow_down_where_streams_take_turns) {
    // 300 us per copy alone. Beside the channels of two streams (4) nothing is slower, of three (6)
    // 5 %, of six (10) 8 %; what the change of channel and the small copies take is no slow-down.
    const auto model = defaults();
    const double beside = (static_cast<double>(model.h2d.latency.count()) +
                           (128 << 10) / model.h2d.bandwidth.bytes_per_s() * 1e9) *
                          (model.d2h.duplex_factor.logarithmic(16 << 20) - 1);
    const auto change = model.d2h.turnaround_other - model.d2h.turnaround_same;
    const double other = beside + static_cast<double>(change.count());
    std::string text;
    for (const auto& [streams, slower] :
         {std::pair{2, 0.0}, std::pair{3, 0.05}, std::pair{6, 0.08}}) {
        for (const auto& [length, units] : {std::pair{"few", 3}, std::pair{"many", 8}}) {
            const int copies = units * streams;
            const auto line = [&](const char* chain, double each) {
                text += fmt::format("sample {}_{} {} {}\n", chain, length, streams,
                                    10'000 + copies * each);
            };
            line("d2h_alone", 300'000);
            line("d2h_turns", 300'000 * (1 + slower) + other);
        }
    }
    const auto slowdown = Runs{}
                              .untraced("slowdown_to_host", text)
                              .draft_after(measure_slowdown_to_host)
                              .model.waiting_slowdown.to_host;
    EXPECT_NEAR(slowdown.linear(4), 0, 1e-6);
    EXPECT_NEAR(slowdown.linear(5), 0.025, 1e-6);
    EXPECT_NEAR(slowdown.linear(10), 0.08, 1e-6);
}

TEST(MeasureChannelRules, counts_what_each_rule_and_its_rival_explain) {
    // Two copies, one after the other, in one channel.
    const std::vector<Slot> served{{ActivityKind::h2d, 0us, 1us, 1, 10, 1},
                                   {ActivityKind::h2d, 1us, 2us, 1, 10, 1, ChannelType::copy, 1us}};
    const auto draft = Runs{}
                           .traced("channel_rules", {phase("service", 2, 0, served)})
                           .draft_after(measure_channel_rules);
    ASSERT_EQ(draft.notes.rules.size(), 4U);
    EXPECT_EQ(draft.notes.rules[3].rule, "one-copy-at-a-time");
    EXPECT_EQ(draft.notes.rules[3].kept, 1U);
    EXPECT_EQ(draft.notes.rules[3].instead, "they overlap: 0 of 1");
}

TEST(MeasureChannels, takes_the_number_from_many_streams_and_the_order_from_a_dozen) {
    const auto copies = [](const std::string& quantity,
                           const std::vector<std::uint32_t>& channels) {
        std::vector<Slot> slots;
        for (const auto channel : channels) {
            const auto at = static_cast<Duration::rep>(slots.size());
            for (const auto kind : {ActivityKind::h2d, ActivityKind::d2h, ActivityKind::kernel}) {
                slots.push_back({kind, Duration{at}, Duration{at + 1}, 1, channel, 1,
                                 ChannelType::copy, Duration{at}});
            }
        }
        return phase(quantity, 0, 0, slots);
    };
    const auto model = [&](const std::vector<std::uint32_t>& usual) {
        return Runs{}
            .traced("channels", {copies("", {10, 11, 9, 8, 10})})
            .traced("channel_rules", {copies("ownership", usual)})
            .draft_after(measure_channels)
            .model;
    };
    EXPECT_THAT(model({10, 9, 10, 11, 8}).channels.h2d, ElementsAre(10, 9, 11, 8));
    EXPECT_EQ(model({10, 9, 10, 11, 8}).channels.max_connections, 4U);
    // Fewer channels than there are say nothing of the order of all.
    EXPECT_THAT(model({11, 10}).channels.h2d, ElementsAre(10, 11, 8, 9));
    // Who comes last is a matter of the program's size.
    EXPECT_THAT(model({10, 11, 9, 8}).channels.h2d, ElementsAre(10, 11, 8, 9));
}

TEST(Measurements, leave_defaults_where_a_probe_did_not_run) {
    EXPECT_THROW(Runs{}.draft_after(measure_copies), ModelFileError);
    EXPECT_THROW(Runs{}.draft_after(measure_host_calls), ModelFileError);
}

}  // namespace
}  // namespace overcast
