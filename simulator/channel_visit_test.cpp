#include "simulator/channel_visit.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

/// Copies that start every 10 ns from 100 on.
ChannelVisit visit_of(int copies, std::uint32_t channel = 3) {
    ChannelVisit visit;
    for (int i = 0; i < copies; ++i) {
        visit.serve(channel, TimelineTime{100ns + i * 10ns});
    }
    return visit;
}

TEST(ChannelVisit, knows_when_the_copies_before_the_last_one_started) {
    const auto visit = visit_of(5);
    EXPECT_EQ(visit.start_before_last(0), TimelineTime{140ns});
    EXPECT_EQ(visit.start_before_last(2), TimelineTime{120ns});
    EXPECT_EQ(visit.start_before_last(1.5), TimelineTime{125ns});
    EXPECT_EQ(visit.start_before_last(9), TimelineTime{100ns});  // there are no more
}

TEST(ChannelVisit, begins_anew_on_another_channel) {
    EXPECT_TRUE(ChannelVisit{}.empty());
    auto visit = visit_of(5);
    visit.serve(4, TimelineTime{500ns});
    EXPECT_EQ(visit.start_before_last(2), TimelineTime{500ns});
    visit.serve(3, TimelineTime{600ns});
    visit.serve(3, TimelineTime{610ns});
    EXPECT_EQ(visit.start_before_last(2), TimelineTime{600ns});
}

TEST(ChannelVisit, forgets_what_no_engine_takes_ahead) {
    const auto visit = visit_of(1000);
    const auto last = TimelineTime{100ns + 999 * 10ns};
    EXPECT_EQ(visit.start_before_last(12), last - 120ns);
    EXPECT_EQ(visit.start_before_last(500), last - ChannelVisit::kLongest * 10ns);
}

}  // namespace
}  // namespace overcast
