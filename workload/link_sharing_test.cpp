#include "workload/link_sharing.hpp"

#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <variant>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace testing;

TEST(LinkSharing, is_the_time_that_copies_of_both_directions_have_in_common) {
    TraceBuilder builder;
    builder.issue(h2d(mib(1)).on(7).starting_at(100us).taking(100us))
        .issue(d2h(mib(1)).on(8).starting_at(150us).taking(30us))
        .issue(d2h(mib(1)).on(8).starting_at(190us).taking(60us))
        .issue(h2d(mib(1)).on(7).starting_at(300us).taking(50us))
        .issue(h2d(kib(1)).on(6).starting_at(195us).taking(2us).on_channel(1, ChannelType::compute))
        .issue(kernel("scale").on(9).starting_at(100us).taking(300us));
    const auto trace = builder.build();
    const auto beside = beside_other_direction(trace, trace.activities.front().device);
    ASSERT_EQ(beside.size(), trace.activities.size());
    for (std::size_t i = 0; i < beside.size(); ++i) {
        const auto& activity = trace.activities[i];
        const auto start = activity.start.time_since_epoch();
        const auto* copy = std::get_if<TracedCopy>(&activity.what);
        const auto expected = copy == nullptr  ? 0us
                              : start == 100us ? 40us
                              : start == 150us ? 30us
                              : start == 190us ? 10us
                                               : 0us;
        EXPECT_EQ(beside[i], expected) << i;
    }
}

}  // namespace
}  // namespace overcast
