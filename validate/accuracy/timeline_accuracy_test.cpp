#include "validate/accuracy/timeline_accuracy.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;

/// Copies and kernels with their times, in the order of their issue.
class Program {
public:
    Program& h2d(Duration start, Duration end, std::uint64_t bytes = 100) {
        return add(copy(CopyKind::host_to_device, bytes), Engine::h2d, start, end);
    }
    Program& d2h(Duration start, Duration end) {
        return add(copy(CopyKind::device_to_host, 100), Engine::d2h, start, end);
    }
    Program& kernel(Duration start, Duration end) {
        return add(KernelLaunch{}, Engine::sm, start, end);
    }
    Program& wait() {
        workload_.operations.emplace_back();
        workload_.operations.back().action = SynchroniseDevice{};
        timeline_.entries.emplace_back();
        return *this;
    }
    [[nodiscard]] PlayedProgram played() const { return {workload_, timeline_}; }

private:
    static Copy copy(CopyKind kind, std::uint64_t bytes) {
        Copy result;
        result.kind = kind;
        result.bytes = Bytes{bytes};
        return result;
    }
    Program& add(const Action& action, Engine engine, Duration start, Duration end) {
        workload_.operations.emplace_back();
        workload_.operations.back().action = action;
        TimelineEntry entry;
        entry.on_device = true;
        entry.engine = engine;
        entry.device_start = TimelineTime{start};
        entry.device_end = TimelineTime{end};
        timeline_.entries.push_back(entry);
        first_ = timeline_.entries.size() == 1 ? start : std::min(first_, start);
        last_ = std::max(last_, end);
        timeline_.device = last_ - first_;
        return *this;
    }

    Workload workload_;
    Timeline timeline_;
    Duration first_{};
    Duration last_{};
};

TEST(TimelineAccuracy, is_the_distance_as_share_of_the_actual_makespan) {
    // The predicted run begins 50 us earlier, which is no error. From there: starts 0, 20, 60
    // instead of 0, 10, 60; ends 10, 70, 100 instead of 10, 60, 100; makespan 100.
    const auto actual = Program{}.h2d(50us, 60us).kernel(60us, 110us).d2h(110us, 150us);
    const auto predicted = Program{}.h2d(0us, 10us).kernel(20us, 70us).d2h(60us, 100us);
    const auto result = compare_timelines(actual.played(), predicted.played());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->operations, 3U);
    EXPECT_DOUBLE_EQ(result->start_median_percent, 0);  // of 0, 10, 0
    EXPECT_DOUBLE_EQ(result->start_p95_percent, 10);
    EXPECT_DOUBLE_EQ(result->end_p95_percent, 10);
    EXPECT_DOUBLE_EQ(result->service_order_percent.value(), 100);
    EXPECT_DOUBLE_EQ(result->actual_overlap_percent, 0);
    // Two at once from 60 to 70; any from 0 to 10 and from 20 to 100.
    EXPECT_DOUBLE_EQ(result->predicted_overlap_percent, 100.0 * 10 / 90);
}

TEST(TimelineAccuracy, counts_copies_that_overtake_in_each_direction) {
    // H2D: served 1, 2, 3, 4; predicted 2, 3, 4, 1: three of four are in order. D2H: both.
    const auto actual =
        Program{}.h2d(0us, 1us).h2d(1us, 2us).h2d(2us, 3us).h2d(3us, 4us).d2h(4us, 5us).d2h(5us,
                                                                                            6us);
    const auto predicted =
        Program{}.h2d(3us, 4us).h2d(0us, 1us).h2d(1us, 2us).h2d(2us, 3us).d2h(4us, 5us).d2h(5us,
                                                                                            6us);
    const auto result = compare_timelines(actual.played(), predicted.played());
    ASSERT_TRUE(result);
    EXPECT_DOUBLE_EQ(result->service_order_percent.value(), 500.0 / 6);
}

TEST(TimelineAccuracy, has_no_service_order_without_copies) {
    const auto program = Program{}.kernel(0us, 1us).kernel(1us, 2us);
    const auto result = compare_timelines(program.played(), program.played());
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->service_order_percent);
}

TEST(TimelineAccuracy, ignores_steps_without_device_work) {
    const auto waits = Program{}.kernel(0us, 1us).wait();
    const auto does_not = Program{}.kernel(0us, 1us);
    EXPECT_TRUE(compare_timelines(waits.played(), does_not.played()));
}

TEST(TimelineAccuracy, refuses_other_work) {
    const auto copies = Program{}.h2d(0us, 1us).kernel(1us, 2us);
    EXPECT_FALSE(compare_timelines(copies.played(), Program{}.h2d(0us, 1us).played()));
    EXPECT_FALSE(
        compare_timelines(copies.played(), Program{}.kernel(0us, 1us).h2d(0us, 1us).played()));
    EXPECT_FALSE(
        compare_timelines(copies.played(), Program{}.h2d(0us, 1us, 99).kernel(1us, 2us).played()));
    EXPECT_FALSE(compare_timelines(Program{}.played(), Program{}.played()));
}

TEST(LongestRising, finds_a_subsequence_that_skips) {
    EXPECT_EQ(longest_rising({3, 0, 1, 2}), 3U);                    // 0 1 2
    EXPECT_EQ(longest_rising({2, 5, 3, 7, 11, 8, 10, 13, 6}), 6U);  // 2 3 7 8 10 13
    EXPECT_EQ(longest_rising({4, 3, 2, 1}), 1U);
    EXPECT_EQ(longest_rising({}), 0U);
}

}  // namespace
}  // namespace overcast
