#include "model/device_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

ChannelParameters measured() {
    ChannelParameters channels;
    channels.compute = {1, 0};
    channels.h2d = {3, 2};
    channels.d2h = {4};
    channels.by_connections = {{2, {0, 1}, {3, 2}, {4, 5}},
                               {8, {0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}};
    return channels;
}

TEST(ChannelParameters, unset_are_those_of_a_fresh_process) {
    const auto found = channels_under(measured(), {});
    EXPECT_THAT(found.compute, ElementsAre(1, 0));
    EXPECT_THAT(found.d2h, ElementsAre(4));
}

TEST(ChannelParameters, of_a_measured_setting_are_those_that_were_seen) {
    EXPECT_EQ(channels_under(measured(), 2), measured().by_connections[0]);
}

TEST(ChannelParameters, between_measured_settings_are_as_many_as_lie_between) {
    // Half-way from 2 to 8: (2 + 8) / 2 = 5 compute and (2 + 4) / 2 = 3 copy channels each way.
    const auto found = channels_under(measured(), 5);
    EXPECT_THAT(found.compute, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(found.h2d, ElementsAre(5, 6, 7));
    EXPECT_THAT(found.d2h, ElementsAre(8, 9, 10));
}

TEST(ChannelParameters, beyond_the_measured_settings_do_not_become_more) {
    EXPECT_THAT(channels_under(measured(), 32).compute, SizeIs(8));
    EXPECT_THAT(channels_under(measured(), 1).h2d, SizeIs(2));
}

TEST(ChannelParameters, without_measurements_are_as_many_of_each_kind_as_connections) {
    const auto found = channels_under({}, 2);
    EXPECT_THAT(found.compute, ElementsAre(0, 1));
    EXPECT_THAT(found.h2d, ElementsAre(2, 3));
    EXPECT_THAT(found.d2h, ElementsAre(4, 5));
}

}  // namespace
}  // namespace overcast
