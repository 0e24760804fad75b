#include "validate/cases/harness/passes.hpp"

#include <gtest/gtest.h>

namespace overcast::cases {
namespace {

/// Disturbed while it counts down; settling does not help.
struct Host {
    int disturbed_checks = 0;
    int settled = 0;
    bool disturbed() { return disturbed_checks-- > 0; }
    void settle() { ++settled; }
};

TEST(TimedPasses, keep_undisturbed_passes_alone) {
    Host host{4};  // before and after the first two passes
    double wall = 0;
    const auto walls = timed_passes(3, host, [&] { return ++wall; });
    EXPECT_EQ(walls.us, (std::vector<double>{3, 4, 5}));
    EXPECT_EQ(walls.disturbed, 0U);
    EXPECT_EQ(host.settled, 2);
}

TEST(TimedPasses, take_what_there_is_on_a_host_that_is_never_quiet) {
    Host host{1'000'000};
    double wall = 99'999;
    const auto walls = timed_passes(2, host, [&] { return ++wall; });
    // 100,000 + 100,001 + 100,002 us are beyond a quarter of a second; the last two count.
    EXPECT_EQ(walls.us, (std::vector<double>{100'001, 100'002}));
    EXPECT_EQ(walls.disturbed, 2U);
}

TEST(TimedPasses, are_never_fewer_than_asked_for) {
    Host host{1'000'000};
    EXPECT_EQ(timed_passes(5, host, [] { return 1e6; }).us.size(), 5U);
}

}  // namespace
}  // namespace overcast::cases
