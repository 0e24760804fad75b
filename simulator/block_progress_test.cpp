#include "simulator/block_progress.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TEST(BlockProgress, ends_when_its_work_has_passed_at_its_speed) {
    BlockProgress progress{100, Duration{10}};
    progress.set_speed(Duration{10}, 1);
    EXPECT_EQ(progress.end(), Duration{110});
    progress.set_speed(Duration{60}, 0.5);  // 50 are left
    EXPECT_EQ(progress.end(), Duration{160});
    EXPECT_EQ(progress.left(Duration{100}), 30);
}

TEST(BlockProgress, a_step_at_full_speed_changes_nothing_whenever_it_is_counted) {
    BlockProgress counted{1000.3, Duration{}};
    counted.set_speed(Duration{}, 1);
    auto not_counted = counted;
    for (const auto now : {Duration{7}, Duration{300}, Duration{301}}) {
        counted.set_left(now, counted.left(now));
        counted.set_speed(now, 1);
    }
    EXPECT_EQ(counted.left(Duration{999}), not_counted.left(Duration{999}));
    EXPECT_EQ(counted.end(), not_counted.end());
}

TEST(BlockProgress, is_done_when_less_than_can_be_told_is_left_and_not_before_the_soonest_time) {
    BlockProgress progress{20.4, Duration{}};
    progress.set_speed(Duration{}, 1);
    EXPECT_EQ(progress.soonest(), Duration{19});
    EXPECT_FALSE(progress.done(Duration{19}));
    EXPECT_TRUE(progress.done(Duration{20}));
    progress.set_speed(Duration{19}, 0.1);  // 1.4 left: done from 9 ns before its end on
    EXPECT_LE(progress.soonest(), Duration{28});
    EXPECT_TRUE(progress.done(Duration{28}));
}

TEST(BlockProgress, next_blocks_go_on_where_the_last_ones_ended) {
    BlockProgress progress{20.4, Duration{}};
    progress.set_speed(Duration{}, 1);
    progress.add(Duration{20}, 100);
    EXPECT_DOUBLE_EQ(progress.left(Duration{20}), 100.4);
    EXPECT_EQ(progress.end(), Duration{120});
}

}  // namespace
}  // namespace overcast
