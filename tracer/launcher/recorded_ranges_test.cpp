#include "tracer/launcher/recorded_ranges.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

TraceTime at(std::int64_t ns) { return TraceTime{Duration{ns}}; }

/// A program that launches a kernel before, in and after the part between the profiler's calls.
class ProfiledProgram : public ::testing::Test {
protected:
    ProfiledProgram() {
        launch(1, 10, 15);
        call("cudaProfilerStart", 2, 20, 30);
        launch(3, 40, 500);  // the device does it after the range: it still belongs to it
        call("cudaProfilerStop", 4, 60, 70);
        launch(5, 80, 85);
        range("step", 35, 50);
        range("other", 75, 90);
    }

    void call(const char* name, std::uint64_t correlation, std::int64_t start, std::int64_t end) {
        ApiCall call;
        call.name = trace_.names.intern(name);
        call.correlation = CorrelationId{correlation};
        call.start = at(start);
        call.end = at(end);
        trace_.api_calls.push_back(call);
    }

    void launch(std::uint64_t correlation, std::int64_t called, std::int64_t run) {
        call("cudaLaunchKernel", correlation, called, called + 2);
        DeviceActivity activity;
        activity.correlation = CorrelationId{correlation};
        activity.start = at(run);
        activity.end = at(run + 3);
        activity.what = TracedKernel{};
        trace_.activities.push_back(activity);
    }

    void range(const char* name, std::int64_t start, std::int64_t end) {
        NamedRange range;
        range.name = trace_.names.intern(name);
        range.start = at(start);
        range.end = at(end);
        trace_.ranges.push_back(range);
    }

    Trace trace_;
};

TEST_F(ProfiledProgram, range_all_keeps_everything) {
    keep_range(trace_, "all");
    EXPECT_EQ(trace_.activities.size(), 3U);
    EXPECT_TRUE(trace_.recorded_ranges.empty());
    EXPECT_EQ(trace_.range, "all");
}

TEST_F(ProfiledProgram, range_of_the_profiler_api_keeps_what_was_called_between_start_and_stop) {
    keep_range(trace_, "profiler-api");
    ASSERT_EQ(trace_.recorded_ranges.size(), 1U);
    EXPECT_EQ(trace_.recorded_ranges[0].start, at(30));
    EXPECT_EQ(trace_.recorded_ranges[0].end, at(60));
    ASSERT_EQ(trace_.activities.size(), 1U);
    EXPECT_EQ(trace_.activities[0].correlation, CorrelationId{3});
    ASSERT_EQ(trace_.ranges.size(), 1U);
    EXPECT_EQ(trace_.names[trace_.ranges[0].name], "step");
    EXPECT_TRUE(trace_.warnings.empty());
}

TEST_F(ProfiledProgram, range_that_was_never_closed_lasts_to_the_end) {
    call("cuProfilerStart", 6, 100, 110);
    launch(7, 120, 130);
    keep_range(trace_, "profiler-api");
    EXPECT_EQ(trace_.recorded_ranges.size(), 2U);
    ASSERT_EQ(trace_.activities.size(), 2U);
    EXPECT_EQ(trace_.activities[1].correlation, CorrelationId{7});
}

TEST_F(ProfiledProgram, range_of_nvtx_keeps_what_was_called_in_ranges_of_that_name) {
    keep_range(trace_, "nvtx:other");
    ASSERT_EQ(trace_.activities.size(), 1U);
    EXPECT_EQ(trace_.activities[0].correlation, CorrelationId{5});
}

TEST_F(ProfiledProgram, range_that_never_occurs_leaves_no_work_and_a_warning) {
    keep_range(trace_, "nvtx:nothing");
    EXPECT_TRUE(trace_.activities.empty());
    EXPECT_TRUE(trace_.api_calls.empty());
    ASSERT_EQ(trace_.warnings.size(), 1U);
    EXPECT_EQ(trace_.warnings[0].code, "empty-range");
}

TEST_F(ProfiledProgram, range_keeps_memory_and_streams_from_before) {
    MemoryOperation before;
    before.time = at(5);
    MemoryOperation after;
    after.time = at(95);
    trace_.memory_operations = {before, after};
    trace_.streams.emplace_back();
    keep_range(trace_, "profiler-api");
    ASSERT_EQ(trace_.memory_operations.size(), 1U);
    EXPECT_EQ(trace_.memory_operations[0].time, at(5));
    EXPECT_EQ(trace_.streams.size(), 1U);
}

TEST_F(ProfiledProgram, range_keeps_an_event_from_before_that_something_inside_waits_for) {
    EventRecording awaited;
    awaited.correlation = CorrelationId{1};
    awaited.event_sync = EventSyncId{8};
    EventRecording forgotten;
    forgotten.correlation = CorrelationId{1};
    forgotten.event_sync = EventSyncId{9};
    trace_.event_recordings = {awaited, forgotten};
    Synchronisation wait;
    wait.correlation = CorrelationId{3};
    wait.event_sync = EventSyncId{8};
    trace_.synchronisations = {wait};
    keep_range(trace_, "profiler-api");
    ASSERT_EQ(trace_.event_recordings.size(), 1U);
    EXPECT_EQ(trace_.event_recordings[0].event_sync, EventSyncId{8});
}

TEST_F(ProfiledProgram, range_places_work_whose_call_was_not_recorded_by_its_own_time) {
    trace_.api_calls.erase(trace_.api_calls.begin());  // the call of the first kernel, run at 15
    trace_.activities[0].start = at(45);
    keep_range(trace_, "profiler-api");
    EXPECT_EQ(trace_.activities.size(), 2U);
}

TEST(RangeName, that_is_unknown_is_refused) {
    for (const auto* name : {"", "some", "nvtx", "nvtx:", "profiler"}) {
        EXPECT_THROW(check_range(name), UsageError) << name;
    }
    EXPECT_NO_THROW(check_range("nvtx:step 1"));
}

}  // namespace
}  // namespace overcast
