#include "simulator/kernels/block_progress.hpp"

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

TEST(BlockProgress, as_long_as_its_speed_stays_the_same_nothing_changes) {
    BlockProgress progress{1000.3, Duration{}};
    progress.set_speed(Duration{}, 0.7);
    const auto other = progress;
    for (const auto now : {Duration{7}, Duration{300}, Duration{301}}) {
        progress.set_speed(now, 0.7);
    }
    EXPECT_EQ(progress.left(Duration{999}), other.left(Duration{999}));
    EXPECT_EQ(progress.end(), other.end());
}

TEST(BlockProgress, ends_at_the_nanosecond_that_is_closest_and_not_before_it_was_looked_at) {
    BlockProgress progress{20.4, Duration{}};
    progress.set_speed(Duration{}, 1);
    EXPECT_EQ(progress.end(), Duration{20});
    progress.set_speed(Duration{19}, 0.1);  // 1.4 left
    EXPECT_EQ(progress.end(), Duration{33});
    progress.set_speed(Duration{30}, 1);  // 0.3 left
    EXPECT_EQ(progress.end(), Duration{30});
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
