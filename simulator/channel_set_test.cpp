#include "simulator/channel_set.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;

TEST(ChannelOwnership, keeps_a_channel_until_another_stream_takes_it) {
    ChannelOwnership channels{{5, 6}};
    const auto all_busy = [](std::uint32_t) { return false; };
    EXPECT_EQ(channels.take(0, all_busy), 0U);
    EXPECT_EQ(channels.take(1, all_busy), 1U);
    EXPECT_EQ(channels.take(0, all_busy), 0U);
    EXPECT_EQ(channels.take(2, all_busy), 1U) << "the least recently used";
    EXPECT_EQ(channels.take(1, all_busy), 0U) << "its own has been taken";
    const auto all_idle = [](std::uint32_t) { return true; };
    EXPECT_EQ(channels.take(3, all_idle, false), 1U);
    EXPECT_EQ(channels.take(1, all_idle, false), 0U);
}

TEST(ChannelOwnership, takes_an_empty_channel_before_a_less_recently_used_one) {
    ChannelOwnership channels{{5, 6, 7}};
    const auto all_busy = [](std::uint32_t) { return false; };
    for (std::uint32_t stream = 0; stream < 3; ++stream) {
        channels.take(stream, all_busy);
    }
    EXPECT_EQ(channels.take(3, [](std::uint32_t channel) { return channel == 2; }), 2U);
    EXPECT_EQ(channels.take(4, [](std::uint32_t channel) { return channel > 0; }), 1U)
        << "of two empty ones the least recently used";
    EXPECT_EQ(channels.take(0, [](std::uint32_t channel) { return channel != 0; }), 0U)
        << "its own, whatever is in it";
}

TEST(ChannelSet, knows_since_when_a_channel_is_empty) {
    Pool<Flight> flights;
    ChannelSet channels{ChannelOwnership{{0}}, flights};
    EXPECT_EQ(channels.empty_since(0), TimelineTime{});
    for (int i = 0; i < 2; ++i) {
        flights.next();
        channels.push(0, flights.keep());
    }
    EXPECT_EQ(channels.empty_since(0), TimelineTime::max());
    channels.pop(0, TimelineTime{3us});
    EXPECT_EQ(channels.empty_since(0), TimelineTime::max());
    channels.pop(0, TimelineTime{7us});
    EXPECT_EQ(channels.empty_since(0), TimelineTime{7us});
}

TEST(ChannelSet, counts_heads_that_are_not_in_service) {
    Pool<Flight> flights;
    ChannelSet channels{ChannelOwnership{{0, 1}}, flights};
    for (const std::uint32_t channel : {0U, 0U, 1U}) {
        flights.next();
        channels.push(channel, flights.keep());
    }
    EXPECT_EQ(channels.waiting_channels(), 2U);
    EXPECT_EQ(channels.entries_behind_heads(), 1U);
    channels.mark_served(0);
    EXPECT_EQ(channels.waiting_channels(), 1U);
    channels.pop(0, TimelineTime{1us});
    EXPECT_EQ(channels.waiting_channels(), 2U) << "its next one";
    EXPECT_EQ(channels.entries_behind_heads(), 0U);
    channels.pop(1, TimelineTime{2us});
    EXPECT_EQ(channels.waiting_channels(), 1U) << "it left without having been in service";
}

TEST(ChannelSet, tells_which_heads_wait_at_the_engine_of_a_channel) {
    Pool<Flight> flights;
    ChannelSet channels{ChannelOwnership{{1, 2, 3, 0}}, flights};
    for (const std::uint32_t channel : {0U, 1U, 2U}) {
        flights.next();
        channels.push(channel, flights.keep());
    }
    EXPECT_EQ(channels.waiting_channels(), 3U);
    EXPECT_EQ(channels.waiting_at_engine_of(0), 2U) << "of channels 1 and 3";
    EXPECT_EQ(channels.waiting_at_engine_of(3), 1U) << "of channel 2, beside channel 0";
    channels.mark_served(2);
    EXPECT_EQ(channels.waiting_at_engine_of(0), 1U);
}

TEST(ChannelSet, tells_what_could_start_from_what_waits_for_others) {
    Pool<Flight> flights;
    ChannelSet channels{ChannelOwnership{{0}}, flights};
    EXPECT_FALSE(channels.head_depends(0)) << "nothing is there";
    for (const std::uint32_t pending : {0U, 1U}) {
        flights.next().pending = pending;
        channels.push(0, flights.keep());
    }
    EXPECT_TRUE(channels.head_depends(0));
    EXPECT_TRUE(channels.some_depend(0)) << "the second";
    EXPECT_TRUE(channels.some_depend_in_each());
    channels.mark_eligible(0);
    EXPECT_TRUE(channels.could_start(0));
    channels.mark_served(0);
    EXPECT_FALSE(channels.could_start(0)) << "it has started";
    channels.pop(0, TimelineTime{1us});
    EXPECT_FALSE(channels.could_start(0));
    EXPECT_TRUE(channels.head_depends(0));
    channels.dependencies_met(0);
    EXPECT_FALSE(channels.some_depend(0));
    EXPECT_FALSE(channels.some_depend_in_each());
}

}  // namespace
}  // namespace overcast
