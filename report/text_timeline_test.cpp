#include "report/text_timeline.hpp"

#include "report/terminal_text.hpp"
#include "tests/support/workload_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace overcast {
namespace {

using test::WorkloadBuilder;
using namespace test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr TerminalStyle kNarrowUnicode{.colour = false, .unicode = true, .width = 51};
constexpr TerminalStyle kNarrowAscii{.colour = false, .unicode = false, .width = 51};

struct Ran {
    Duration start{};
    Duration end{};
    Engine engine = Engine::h2d;
    WaitReason reason = WaitReason::none;
};

/// Issued at `call`, in 10 us.
TimelineEntry entry(Duration call, const Ran& ran) {
    TimelineEntry result;
    result.call_start = TimelineTime{call};
    result.call_end = TimelineTime{call + 10us};
    result.device_start = TimelineTime{ran.start};
    result.device_end = TimelineTime{ran.end};
    result.engine = ran.engine;
    result.waited_for = ran.reason;
    result.on_device = true;
    return result;
}

struct Sample {
    Workload workload;
    Timeline timeline;
};

/// Two streams of copy, kernel and copy. 40 columns: each is 100 us.
Sample two_streams() {
    WorkloadBuilder program{2};
    program.calls_take(10us);
    for (const std::uint32_t stream : {0U, 1U}) {
        program.on(stream).h2d(1_MiB).kernel(132, 1ms).d2h(1_MiB);
    }
    program.synchronise(1);
    Sample sample{program.workload(), {}};
    sample.timeline.entries = {
        entry(0us, {10us, 1ms}),
        entry(10us, {1ms, 2ms, Engine::sm, WaitReason::stream_order}),
        entry(20us, {2ms, 2'930us, Engine::d2h, WaitReason::stream_order}),
        entry(30us, {1ms, 2ms, Engine::h2d, WaitReason::copy_engine}),
        entry(40us, {2ms, 3ms, Engine::sm, WaitReason::stream_order}),
        entry(50us, {3ms, 4ms, Engine::d2h, WaitReason::stream_order}),
    };
    TimelineEntry wait;
    wait.call_start = TimelineTime{60us};
    wait.call_end = TimelineTime{4ms};
    sample.timeline.entries.push_back(wait);
    sample.timeline.wall = 4ms;
    return sample;
}

std::string drawn(const Sample& sample, const TerminalStyle& style) {
    return text_timeline(sample.workload, sample.timeline, "2 streams", style);
}

TEST(TextTimeline, looks_like_this) {
    EXPECT_EQ('\n' + drawn(two_streams(), kNarrowUnicode), R"(
timeline   2 streams: 4.000 ms; a column is 100.0 µs

           0 ms      1         2         3
           ├─────────┼─────────┼─────────┼─────────
stream 0   HHHHHHHHHHKKKKKKKKKKDDDDDDDDDd
stream 1   ··········HHHHHHHHHHKKKKKKKKKKDDDDDDDDDD
H2D        ████████████████████
SMs                  ████████████████████
D2H                            █████████▒██████████
host       ▓·······································

           H copy to the device, D copy to the host, K kernel, · waiting, small
           letters: less than half of the column. Engines and host: ░ ▒ ▓ █ busy
           up to 25, 50, 75, 100 % of the column.
)");
}

TEST(TextTimeline, looks_like_this_where_the_locale_is_not_utf_8) {
    EXPECT_EQ('\n' + drawn(two_streams(), kNarrowAscii), R"(
timeline   2 streams: 4.000 ms; a column is 100.0 us

           0 ms      1         2         3
           |---------+---------+---------+---------
stream 0   HHHHHHHHHHKKKKKKKKKKDDDDDDDDDd
stream 1   ..........HHHHHHHHHHKKKKKKKKKKDDDDDDDDDD
H2D        ####################
SMs                  ####################
D2H                            #########+##########
host       %.......................................

           H copy to the device, D copy to the host, K kernel, . waiting, small
           letters: less than half of the column. Engines and host: : + % # busy
           up to 25, 50, 75, 100 % of the column.
)");
}

TEST(TextTimeline, colours_runs_of_columns) {
    auto style = kNarrowUnicode;
    style.colour = true;
    EXPECT_THAT(drawn(two_streams(), style),
                HasSubstr("stream 0   \x1b[36mHHHHHHHHHH\x1b[0m\x1b[1;32mKKKKKKKKKK\x1b[0m"));
}

TEST(TextTimeline, fills_the_width_and_no_more) {
    for (const std::size_t width : {1U, 80U, 120U, 200U}) {
        for (const bool unicode : {false, true}) {
            const TerminalStyle style{.colour = false, .unicode = unicode, .width = width};
            const auto most = std::max<std::size_t>(width, kReportWidth);
            std::size_t widest = 0;
            std::istringstream lines{drawn(two_streams(), style)};
            for (std::string line; std::getline(lines, line);) {
                widest = std::max(widest, display_width(line));
                EXPECT_LE(display_width(line), most) << line;
                EXPECT_FALSE(line.ends_with(' ')) << line;
            }
            EXPECT_GE(widest, std::min<std::size_t>(width, most));
        }
    }
}

/// `count` copies of 0.8 us, one every 2 us, then one kernel of 2 us.
Sample many_copies(std::uint32_t count) {
    WorkloadBuilder program{1};
    Sample sample;
    for (std::uint32_t i = 0; i < count; ++i) {
        program.on(0).h2d(1_B);
        sample.timeline.entries.push_back(entry(0us, {i * 2us, i * 2us + 800ns}));
    }
    program.on(0).kernel(1, 2us);
    sample.timeline.entries.push_back(
        entry(0us, {count * 2us, count * 2us + 2us, Engine::sm, WaitReason::none}));
    sample.workload = program.workload();
    sample.timeline.wall = count * 2us + 2us;
    return sample;
}

TEST(TextTimeline, shades_what_is_too_short_for_a_column) {
    // 20,001 operations in 40 columns: copies take 40 % of each.
    const auto text = drawn(many_copies(20'000), kNarrowUnicode);
    EXPECT_THAT(text, HasSubstr("stream 0   " + std::string(40, 'h')));
    EXPECT_THAT(text, HasSubstr("H2D        ▒▒▒▒"));
    // The last column holds 2 us of kernel in 1 ms; the copies before it take most.
    EXPECT_THAT(text, HasSubstr("SMs" + std::string(47, ' ') + "░\n"));
}

TEST(TextTimeline, counts_the_streams_that_it_does_not_draw) {
    WorkloadBuilder program{kMostTimelineStreams + 1};
    Sample sample;
    for (std::uint32_t stream = 0; stream <= kMostTimelineStreams; ++stream) {
        program.on(stream).h2d(1_B);
        sample.timeline.entries.push_back(entry(0us, {stream * 1us, stream * 1us + 1us}));
    }
    sample.workload = program.workload();
    sample.timeline.wall = 65us;
    const auto text = drawn(sample, kNarrowUnicode);
    EXPECT_THAT(text, HasSubstr("stream 63"));
    EXPECT_THAT(text, HasSubstr("           and 1 more stream\nH2D "));
}

TEST(TextTimeline, draws_an_empty_timeline_and_one_of_nanoseconds) {
    const WorkloadBuilder program{0};
    EXPECT_THAT(text_timeline(program.workload(), {}, "nothing", kNarrowAscii),
                HasSubstr("nothing: 0 ns"));
    auto sample = many_copies(0);
    sample.timeline.entries = {entry(-10us, {0ns, 3ns, Engine::sm})};
    sample.timeline.wall = 3ns;
    EXPECT_THAT(drawn(sample, kNarrowAscii), HasSubstr("stream 0   KKK\n"));
}

}  // namespace
}  // namespace overcast
