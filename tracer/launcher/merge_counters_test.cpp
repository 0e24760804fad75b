#include "tracer/launcher/merge_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A launch of `blocks` blocks.
void launch(Trace& trace, const char* name, std::uint32_t blocks, Duration duration) {
    TracedKernel kernel;
    kernel.name = trace.names.intern(name);
    kernel.shape.grid.x = blocks;
    kernel.shape.registers_per_thread = 32;
    DeviceActivity activity;
    activity.end = TraceTime{duration};
    activity.what = kernel;
    trace.activities.push_back(activity);
}

void count(Trace& trace, const char* name, std::uint32_t blocks, std::uint64_t launches,
           Duration duration) {
    KernelCounters counters;
    counters.name = trace.names.intern(name);
    counters.grid.x = blocks;
    counters.launches = launches;
    counters.measured_launches = 1;
    counters.values[static_cast<std::size_t>(KernelCounter::duration_ns)] =
        static_cast<double>(duration.count());
    trace.counters.push_back(counters);
}

TEST(MergeCounters, gives_each_kernel_of_the_trace_the_counters_of_its_name_and_shape) {
    Trace trace;
    launch(trace, "scale", 4, 100us);
    launch(trace, "scale", 8, 200us);
    Trace counted;
    counted.names.intern("a name that only the second run has");
    count(counted, "scale", 8, 1, 190us);
    count(counted, "scale", 4, 1, 110us);
    const auto merged = merge_counters(counted, trace);
    EXPECT_EQ(merged.kernels, 2U);
    EXPECT_EQ(merged.measured_launches, 2U);
    EXPECT_THAT(merged.warnings, IsEmpty());
    ASSERT_EQ(trace.counters.size(), 2U);
    EXPECT_EQ(trace.names[trace.counters[0].name], "scale");
    EXPECT_EQ(trace.counters[0].grid.x, 4U);
    EXPECT_EQ(trace.counters[0][KernelCounter::duration_ns], 110'000.0);
}

TEST(MergeCounters, replaces_older_counters_of_the_same_kernel) {
    Trace trace;
    launch(trace, "scale", 4, 100us);
    Trace counted;
    count(counted, "scale", 4, 1, 100us);
    merge_counters(counted, trace);
    counted.counters[0].measured_launches = 2;
    merge_counters(counted, trace);
    ASSERT_EQ(trace.counters.size(), 1U);
    EXPECT_EQ(trace.counters[0].measured_launches, 2U);
}

TEST(MergeCounters, warns_where_the_two_runs_are_not_alike) {
    Trace trace;
    launch(trace, "scale", 4, 100us);
    launch(trace, "scale", 4, 100us);
    launch(trace, "unseen", 1, 10us);
    Trace counted;
    count(counted, "scale", 4, 3, 151us);
    count(counted, "elsewhere", 1, 1, 10us);
    const auto merged = merge_counters(counted, trace);
    EXPECT_THAT(merged.warnings,
                ElementsAre(Field(&Warning::text, HasSubstr("2 times in the trace, 3 times")),
                            Field(&Warning::text, HasSubstr("100.0 us in the trace, 151.0 us")),
                            Field(&Warning::text, HasSubstr("unseen of the trace was not seen"))));
    EXPECT_EQ(trace.counters.size(), 1U);
}

TEST(MergeCounters, does_not_count_launches_where_the_trace_holds_a_part_of_the_run) {
    Trace trace;
    trace.range = "profiler-api";
    launch(trace, "scale", 4, 100us);
    Trace counted;
    count(counted, "scale", 4, 20, 100us);
    EXPECT_THAT(merge_counters(counted, trace).warnings, IsEmpty());
}

TEST(MergeCounters, leaves_kernels_without_a_measured_launch_alone) {
    Trace trace;
    launch(trace, "scale", 4, 100us);
    Trace counted;
    count(counted, "scale", 4, 1, 100us);
    counted.counters[0].measured_launches = 0;
    EXPECT_EQ(merge_counters(counted, trace).kernels, 0U);
    EXPECT_THAT(trace.counters, IsEmpty());
}

}  // namespace
}  // namespace overcast
