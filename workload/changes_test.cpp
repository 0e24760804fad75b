#include "workload/changes.hpp"

#include "tests/support/extraction.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using testing::extract_all;
using testing::TraceBuilder;

const Copy& copy_at(const Workload& workload, std::size_t i) {
    return std::get<Copy>(workload.operations[i].action);
}

bool is_gone(const Operation& operation) {
    return std::holds_alternative<HostCall>(operation.action) && operation.call_cost == Duration{};
}

TEST(Changes, pinned_memory_takes_the_recorded_duration_the_staging_and_the_waiting_away) {
    // The copy back ends at 5 us + 100 us; its call returns 30 us later, having emptied the
    // driver's buffer: host time of the next call.
    TraceBuilder trace;
    trace.issue(testing::d2h(testing::mib(1)).pageable().taking(100us).call_taking(135us))
        .issue(testing::h2d(testing::mib(1)).taking(20us))
        .synchronise_stream(7);
    auto workload = extract_all(trace).workload;
    ASSERT_EQ(workload.staging.size(), 1U);
    EXPECT_EQ(workload.staging[0].operation, 1U);
    EXPECT_EQ(workload.staging[0].time, 30us);
    const auto before = workload.operations[1].host_before;

    EXPECT_EQ(pin_memory(workload), 1U);
    EXPECT_EQ(copy_at(workload, 0).destination, MemoryKind::pinned);
    EXPECT_FALSE(copy_at(workload, 0).measured);
    EXPECT_EQ(workload.operations[0].call_cost, workload.call_costs.copy);
    EXPECT_EQ(workload.operations[1].host_before, before - 30us);
    EXPECT_TRUE(copy_at(workload, 1).measured) << "was pinned already";
}

TEST(Changes, removed_waits_keep_the_threads_own_time_and_the_last_wait) {
    test::WorkloadBuilder program;
    program.calls_take(1us).on(0).kernel(1, 5us).host_works(7us).synchronise(0);
    program.kernel(1, 5us).synchronise(0);
    auto workload = program.workload();
    const auto removed = remove_inner_calls(
        workload, [](const Operation& operation) { return synchronises(operation.action); });
    EXPECT_EQ(removed, 1U);
    EXPECT_TRUE(is_gone(workload.operations[1]));
    EXPECT_EQ(workload.operations[1].host_before, 7us);
    EXPECT_TRUE(synchronises(workload.operations[3].action));
}

TEST(Changes, copies_become_asynchronous_where_their_memory_allows_it) {
    test::WorkloadBuilder program;
    program.h2d(Bytes{100}, MemoryKind::pinned, false)
        .h2d(Bytes{100}, MemoryKind::pageable, false)
        .memset(Bytes{100}, false);
    auto workload = program.workload();
    EXPECT_EQ(make_copies_asynchronous(workload), 2U);
    EXPECT_TRUE(copy_at(workload, 0).asynchronous);
    EXPECT_FALSE(copy_at(workload, 1).asynchronous);
}

TEST(Changes, neighbouring_small_copies_of_a_unit_become_one) {
    test::WorkloadBuilder program;
    program.on(0).h2d(Bytes{100}).h2d(Bytes{50}).kernel(1, 5us).h2d(Bytes{30}).d2h(Bytes{20});
    auto workload = program.workload();
    EXPECT_EQ(merge_neighbouring_copies(workload, Bytes{100}), 1U);
    EXPECT_EQ(copy_at(workload, 0).bytes, Bytes{150});
    EXPECT_TRUE(is_gone(workload.operations[1]));
    EXPECT_EQ(copy_at(workload, 3).bytes, Bytes{30}) << "a kernel stands between";
    EXPECT_EQ(copy_at(workload, 4).bytes, Bytes{20}) << "another direction";
}

TEST(Changes, copies_that_are_not_small_stay) {
    test::WorkloadBuilder program;
    program.on(0).h2d(Bytes{100}).h2d(Bytes{101}).h2d(Bytes{100});
    auto workload = program.workload();
    EXPECT_EQ(merge_neighbouring_copies(workload, Bytes{100}), 0U);
}

TEST(Changes, units_taken_together_copy_once_before_and_once_behind_their_kernels) {
    test::WorkloadBuilder program;
    for (int unit = 0; unit < 5; ++unit) {
        program.on(0).h2d(Bytes{10}).kernel(1, 5us).d2h(Bytes{4});
    }
    auto workload = program.workload();
    workload.units = 5;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
        workload.operations[i].unit = UnitIndex{i / 3};
    }
    EXPECT_EQ(merge_units(workload, 2, Bytes{100}), 4U);
    EXPECT_EQ(workload.units, 3U);
    // Units 0 and 1: the first copy in brings both, the last one out takes both.
    EXPECT_EQ(copy_at(workload, 0).bytes, Bytes{20});
    EXPECT_TRUE(is_gone(workload.operations[2]));
    EXPECT_TRUE(is_gone(workload.operations[3]));
    EXPECT_EQ(copy_at(workload, 5).bytes, Bytes{8});
    EXPECT_EQ(workload.operations[5].unit, UnitIndex{0});
    // Unit 4 is alone.
    EXPECT_EQ(copy_at(workload, 12).bytes, Bytes{10});
    EXPECT_EQ(workload.operations[12].unit, UnitIndex{2});
}

TEST(Changes, what_stands_between_two_waits_becomes_one_graph) {
    test::WorkloadBuilder program;
    program.calls_take(3us).on(0).kernel(1, 5us).kernel(1, 5us);
    program.host_works(2us).kernel(1, 5us);   // no longer than the call: part of the loop
    program.host_works(50us).kernel(1, 5us);  // work of the program's own
    program.synchronise(0).kernel(1, 5us);
    auto workload = program.workload();
    const auto gone = launch_as_graphs(
        workload, [](std::uint64_t nodes) { return Duration{static_cast<int>(nodes) * 100}; });
    EXPECT_EQ(gone, 3U);
    EXPECT_EQ(workload.operations[0].call_cost, 400ns);
    EXPECT_EQ(workload.operations[1].call_cost, 0ns);
    EXPECT_EQ(workload.operations[2].host_before, 0ns);
    EXPECT_EQ(workload.operations[3].host_before, 50us);
    EXPECT_EQ(workload.operations[5].call_cost, 3us) << "alone: no graph";
}

TEST(Changes, a_copy_that_holds_the_host_ends_a_graph) {
    test::WorkloadBuilder program;
    program.calls_take(3us).on(0).kernel(1, 5us).h2d(Bytes{100'000}, MemoryKind::pageable);
    program.kernel(1, 5us);
    auto workload = program.workload();
    EXPECT_EQ(launch_as_graphs(workload, [](std::uint64_t) { return Duration{}; }), 0U);
}

TEST(Changes, waits_after_each_launch_move_ranges_and_staging_along) {
    test::WorkloadBuilder program;
    program.on(2).kernel(1, 5us).h2d(Bytes{100}).record();
    auto workload = program.workload();
    workload.ranges.push_back({NameId{0}, ThreadIndex{0}, 1, 3});
    workload.staging.push_back({1, 4us});
    wait_after_each_launch(workload);
    ASSERT_EQ(workload.operations.size(), 5U);
    EXPECT_TRUE(std::holds_alternative<SynchroniseStream>(workload.operations[1].action));
    EXPECT_EQ(workload.operations[1].stream, StreamIndex{2});
    EXPECT_TRUE(std::holds_alternative<Copy>(workload.operations[2].action));
    EXPECT_EQ(workload.ranges[0].begin, 2U);
    EXPECT_EQ(workload.ranges[0].end, 5U);
    EXPECT_EQ(workload.staging[0].operation, 2U);
}

}  // namespace
}  // namespace overcast
