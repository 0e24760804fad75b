#include "forecast/comparison.hpp"

#include "tests/support/trace_builder.hpp"
#include "workload/extract.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace overcast::testing;
using namespace std::chrono_literals;

Extraction taken_apart(const TraceBuilder& trace) {
    ExtractOptions options;
    options.as_recorded = true;
    return extract(trace.build(), TracingCost{}, options);
}

Comparison compared(const TraceBuilder& before, const TraceBuilder& after) {
    const auto left = taken_apart(before);
    const auto right = taken_apart(after);
    return compare({left.workload, left.measured, "before", "a"},
                   {right.workload, right.measured, "after", "b"});
}

TEST(Comparison, matches_operations_across_streams_by_what_they_are) {
    TraceBuilder before;
    before.issue(h2d(mib(1)).on(7)).issue(kernel("a").on(7)).issue(kernel("a").on(7));
    TraceBuilder after;
    after.issue(kernel("a").on(8)).issue(h2d(mib(1)).pageable().on(9)).issue(kernel("a").on(9));
    const auto comparison = compared(before, after);
    ASSERT_EQ(comparison.matched.size(), 3U);
    EXPECT_TRUE(comparison.only_left.empty());
    EXPECT_TRUE(comparison.only_right.empty());
    EXPECT_EQ(comparison.matched[0].kind, "H2D copy");
    EXPECT_EQ(comparison.matched[0].left_stream, StreamId{7});
    EXPECT_EQ(comparison.matched[0].right_stream, StreamId{9});
    EXPECT_EQ(comparison.matched[1].ordinal, 0U);
    EXPECT_EQ(comparison.matched[1].right_stream, StreamId{8});
    EXPECT_EQ(comparison.matched[2].ordinal, 1U);
    EXPECT_EQ(comparison.matched[2].right_stream, StreamId{9});
}

TEST(Comparison, lists_what_one_side_alone_has) {
    TraceBuilder before;
    before.issue(h2d(mib(1))).issue(kernel("a")).synchronise_device();
    TraceBuilder after;
    after.issue(h2d(mib(2))).issue(kernel("a")).issue(kernel("a")).issue(kernel("b"));
    const auto comparison = compared(before, after);
    ASSERT_EQ(comparison.matched.size(), 1U);
    ASSERT_EQ(comparison.only_left.size(), 2U);
    EXPECT_EQ(comparison.only_left[0].amount, mib(1).count());
    EXPECT_EQ(comparison.only_left[1].name, "cudaDeviceSynchronize");
    ASSERT_EQ(comparison.only_right.size(), 3U);
    EXPECT_EQ(comparison.only_right[0].amount, mib(2).count());
    EXPECT_EQ(comparison.only_right[1].name, "a");
    EXPECT_EQ(comparison.only_right[2].name, "b");
}

// Kernels: 2 x 100 us against 100 + 150; copies 30 us on both sides.
TEST(Comparison, adds_up_device_time_by_kind) {
    TraceBuilder before;
    before.issue(h2d(mib(1)).taking(30us));
    before.issue(kernel("a").taking(100us)).issue(kernel("a").taking(100us));
    TraceBuilder after;
    after.issue(h2d(mib(1)).taking(30us));
    after.issue(kernel("a").taking(100us)).issue(kernel("a").taking(150us));
    const auto comparison = compared(before, after);
    ASSERT_EQ(comparison.kinds.size(), 2U);
    EXPECT_EQ(comparison.kinds[0].kind, "kernel");
    EXPECT_EQ(comparison.kinds[0].left_count, 2U);
    EXPECT_EQ(comparison.kinds[0].left, 200us);
    EXPECT_EQ(comparison.kinds[0].right, 250us);
    EXPECT_EQ(comparison.kinds[1].left, comparison.kinds[1].right);
}

// The wait is called at 2 us and lasts until 105 us in one run, 205 us in the other.
TEST(Comparison, says_how_far_waits_and_starts_are_apart) {
    TraceBuilder before;
    before.issue(kernel("a").taking(100us)).synchronise_device();
    TraceBuilder after;
    after.issue(kernel("a").taking(200us)).synchronise_device();
    const auto comparison = compared(before, after);
    EXPECT_EQ(comparison.left.waiting, 103us);
    EXPECT_EQ(comparison.right.waiting, 203us);
    ASSERT_EQ(comparison.waits.size(), 1U);
    EXPECT_NEAR(comparison.waits[0].median_error.value(), 100.0 / 103, 1e-9);
    EXPECT_EQ(comparison.waiting_calls->operations, 1U);
    ASSERT_TRUE(comparison.start_delay);
    EXPECT_EQ(comparison.start_delay->median, 0);  // 5 us in both
    EXPECT_FALSE(comparison.held_up_launches);
}

// Pinned memory made pageable: the copy's call now waits, which is no launch into a full queue.
TEST(Comparison, a_call_that_waits_on_one_side_alone_is_a_wait) {
    TraceBuilder before;
    before.issue(h2d(mib(1)).taking(100us));
    TraceBuilder after;
    after.issue(h2d(mib(1)).pageable().taking(100us));
    for (const auto& comparison : {compared(before, after), compared(after, before)}) {
        EXPECT_TRUE(comparison.matched[0].waits);
        EXPECT_EQ(comparison.waiting_calls->operations, 1U);
        EXPECT_FALSE(comparison.held_up_launches);
    }
}

TEST(Comparison, nominal_calls_say_nothing_of_starts) {
    TraceBuilder trace;
    trace.issue(kernel("a").without_call()).issue(kernel("b"));
    const auto comparison = compared(trace, trace);
    EXPECT_EQ(comparison.matched.size(), 2U);
    EXPECT_EQ(comparison.start_delay->operations, 1U);
}

}  // namespace
}  // namespace overcast
