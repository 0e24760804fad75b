#include "workload/transform.hpp"

#include "core/error.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/support/warns.hpp"
#include "workload/extract.hpp"
#include "workload/units.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace overcast {
namespace {

using ::overcast::testing::warns;
using namespace overcast::testing;
using namespace std::chrono_literals;

TracingCost nominal_cost() {
    TracingCost cost;
    cost.untraced.event_record = 110ns;
    cost.untraced.event_wait = 110ns;
    cost.untraced.synchronise = 300ns;
    return cost;
}

Workload recorded(const TraceBuilder& trace, std::string_view units = "auto") {
    auto workload = extract(trace.build(), nominal_cost(), {}).workload;
    find_units(workload, parse_unit_choice(units));
    return workload;
}

Configuration configuration(Transform transform, std::uint32_t streams,
                            IssueOrder order = IssueOrder::depth,
                            SyncPolicy sync = SyncPolicy::defer) {
    Configuration result;
    result.transform = transform;
    result.streams = streams;
    result.order = order;
    result.sync = sync;
    return result;
}

char letter(const Action& action) {
    struct Letters {
        char operator()(const Copy& copy) const {
            const char name = copy.kind == CopyKind::host_to_device ? 'h' : 'd';
            return copy.asynchronous ? name : static_cast<char>(name - 'a' + 'A');
        }
        char operator()(const Memset&) const { return 'm'; }
        char operator()(const KernelLaunch&) const { return 'k'; }
        char operator()(const EventRecord&) const { return 'e'; }
        char operator()(const EventWait&) const { return 'w'; }
        char operator()(const HostFunction&) const { return 'f'; }
        char operator()(const SynchroniseStream&) const { return 's'; }
        char operator()(const SynchroniseDevice&) const { return 'S'; }
        char operator()(const SynchroniseEvent&) const { return 'E'; }
        char operator()(const ReleaseMemory&) const { return 'r'; }
        char operator()(const HostCall&) const { return 'c'; }
    };
    return std::visit(Letters{}, action);
}

/// "h0 k0 d0 s0": what is issued, and on which stream.
std::string programme(const Workload& workload) {
    std::string text;
    for (const auto& operation : workload.operations) {
        text += text.empty() ? "" : " ";
        text += letter(operation.action);
        text += letter(operation.action) == 'S' ? "" : std::to_string(number(operation.stream));
    }
    return text;
}

TraceBuilder three_units() {
    TraceBuilder trace;
    for (std::uint64_t i = 0; i < 3; ++i) {
        trace.issue(h2d(mib(3)).to(0x1000 * (i + 1)))
            .issue(kernel("a").grid(90))
            .issue(d2h(mib(3)).from(0x100000 + 0x1000 * (i + 1)));
    }
    trace.synchronise_device();
    return trace;
}

TEST(Distribute, deals_units_round_robin) {
    const auto workload = recorded(three_units());
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 2))),
              "h0 k0 d0 h1 k1 d1 h0 k0 d0 s0 s1");
}

TEST(Distribute, with_one_stream_keeps_everything_on_it) {
    const auto workload = recorded(three_units());
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 1))),
              "h0 k0 d0 h0 k0 d0 h0 k0 d0 s0");
}

TEST(Distribute, waits_only_for_streams_that_are_used) {
    const auto workload = recorded(three_units());
    const auto result = transform(workload, configuration(Transform::distribute, 5));
    EXPECT_EQ(programme(result), "h0 k0 d0 h1 k1 d1 h2 k2 d2 s0 s1 s2");
    EXPECT_EQ(result.streams.size(), 5U);
}

TEST(Distribute, issues_operation_by_operation_in_breadth) {
    const auto workload = recorded(three_units());
    EXPECT_EQ(programme(transform(workload,
                                  configuration(Transform::distribute, 2, IssueOrder::breadth))),
              "h0 h1 h0 k0 k1 k0 d0 d1 d0 s0 s1");
}

TEST(Distribute, keeps_the_recorded_order_where_asked) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).issue(h2d(mib(1))).issue(kernel("a")).issue(kernel("a"));
    EXPECT_EQ(programme(transform(recorded(trace),
                                  configuration(Transform::distribute, 2, IssueOrder::recorded))),
              "h0 h1 k0 k1");
}

TEST(Distribute, turns_blocking_copies_of_pinned_memory_into_asynchronous_ones) {
    TraceBuilder trace;
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1)).blocking()).issue(kernel("a")).issue(d2h(mib(1)).blocking());
    }
    const auto workload = recorded(trace);
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 2))),
              "h0 k0 d0 h1 k1 d1 s0 s1");
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 2,
                                                          IssueOrder::depth, SyncPolicy::keep))),
              "H0 k0 D0 H1 k1 D1");
}

TEST(Distribute, leaves_blocking_copies_of_pageable_memory_as_they_are) {
    TraceBuilder trace;
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1)).blocking().pageable()).issue(kernel("a"));
    }
    EXPECT_EQ(programme(transform(recorded(trace), configuration(Transform::distribute, 2))),
              "H0 k0 H1 k1");
}

TEST(Distribute, keeps_host_time_with_its_unit_when_a_wait_goes) {
    TraceBuilder trace;
    for (int i = 0; i < 2; ++i) {
        trace.host_time(5us).issue(h2d(mib(1)));
        trace.host_time(3us).synchronise_stream(7);
        trace.host_time(7us).issue(kernel("a"));
        trace.host_time(2us).synchronise_stream(7);
    }
    const auto result = transform(recorded(trace), configuration(Transform::distribute, 2));
    EXPECT_EQ(programme(result), "h0 k0 h1 k1 s0 s1");
    EXPECT_EQ(result.operations[1].host_before, 10us);  // 3 before the wait and 7 after it
    EXPECT_EQ(result.operations[2].host_before, 7us);   // 2 at the end of unit 0, 5 of unit 1
    EXPECT_EQ(result.operations[4].host_before, 2us);   // at the end of unit 1
    EXPECT_EQ(result.operations[4].call_cost, 300ns);
}

TEST(Distribute, keeps_waits_as_written_where_asked) {
    TraceBuilder trace;
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a")).synchronise_stream(7);
    }
    const auto workload = recorded(trace);
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 2,
                                                          IssueOrder::depth, SyncPolicy::keep))),
              "h0 k0 s0 h1 k1 s1");
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 2,
                                                          IssueOrder::breadth, SyncPolicy::keep))),
              "h0 h1 k0 k1 s0 s1");
}

TEST(Distribute, a_kept_wait_for_the_one_stream_becomes_one_for_all) {
    TraceBuilder trace;
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a"));
    }
    trace.synchronise_stream(7);
    EXPECT_EQ(
        programme(transform(recorded(trace), configuration(Transform::distribute, 2,
                                                           IssueOrder::depth, SyncPolicy::keep))),
        "h0 k0 h1 k1 s0 s1");
}

TEST(Distribute, work_before_the_units_is_waited_for_and_work_after_them_waits) {
    TraceBuilder trace;
    trace.issue(h2d(kib(4)));
    for (int i = 0; i < 3; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a"));
    }
    trace.issue(kernel("reduce")).issue(d2h(kib(1))).synchronise_device();
    const auto workload = recorded(trace);
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 3))),
              "h0 e0 w1 w2 h0 k0 h1 k1 h2 k2 e1 w0 e2 w0 k0 d0 s0 s1 s2");
    EXPECT_EQ(programme(transform(workload, configuration(Transform::distribute, 1))),
              "h0 h0 k0 h0 k0 h0 k0 k0 d0 s0");
}

TEST(Distribute, needs_no_event_where_the_host_had_waited_before_the_units) {
    TraceBuilder trace;
    trace.issue(h2d(kib(4))).synchronise_stream(7);
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a"));
    }
    EXPECT_EQ(programme(transform(recorded(trace), configuration(Transform::distribute, 2))),
              "h0 s0 h0 k0 h1 k1");
}

TEST(Distribute, merges_the_streams_of_a_unit_and_drops_the_events_between_them) {
    TraceBuilder trace;
    for (std::uint32_t i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1)).on(13)).record_event(i, 13).wait_event(14, i);
        trace.issue(kernel("a").on(14));
    }
    const auto result = transform(recorded(trace), configuration(Transform::distribute, 2));
    EXPECT_EQ(programme(result), "h0 e0 k0 h1 e1 k1");
    EXPECT_TRUE(warns(result, "merged-streams"));
}

TEST(Distribute, says_that_units_which_write_the_same_memory_need_copies_of_it) {
    TraceBuilder trace;
    trace.trace().devices[0].memory = mib(100);
    trace.allocate(0xA, mib(60));
    for (int i = 0; i < 4; ++i) {
        trace.issue(h2d(mib(30)).to(0xA)).issue(kernel("a"));
    }
    const auto workload = recorded(trace);
    const auto two = transform(workload, configuration(Transform::distribute, 2));
    EXPECT_TRUE(warns(two, "shared-buffer"));
    EXPECT_EQ(two.device_bytes, mib(90));  // 60 recorded, and one more set of 30
    EXPECT_FALSE(warns(two, "device-memory"));
    EXPECT_TRUE(
        warns(transform(workload, configuration(Transform::distribute, 3)), "device-memory"));
    EXPECT_FALSE(
        warns(transform(workload, configuration(Transform::distribute, 1)), "shared-buffer"));
}

TEST(Distribute, frees_do_not_wait_when_waits_are_deferred) {
    TraceBuilder trace;
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a")).call("cudaFree", 5us);
    }
    trace.synchronise_device();
    const auto result = transform(recorded(trace), configuration(Transform::distribute, 2));
    EXPECT_EQ(programme(result), "h0 k0 c0 h1 k1 c1 s0 s1");
    EXPECT_TRUE(warns(result, "implicit-sync"));
}

TEST(Replicate, runs_the_whole_work_on_every_stream) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).issue(kernel("a")).synchronise_device();
    const auto workload = recorded(trace);
    const auto depth = transform(workload, configuration(Transform::replicate, 3));
    EXPECT_EQ(programme(depth), "h0 k0 h1 k1 h2 k2 s0 s1 s2");
    EXPECT_EQ(depth.units, 3U);
    EXPECT_EQ(depth.operations[4].unit, UnitIndex{2});
    EXPECT_EQ(
        programme(transform(workload, configuration(Transform::replicate, 3, IssueOrder::breadth))),
        "h0 h1 h2 k0 k1 k2 s0 s1 s2");
}

TEST(Replicate, copies_streams_and_events_of_the_recorded_work) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1)).on(13)).record_event(1, 13).wait_event(14, 1);
    trace.issue(kernel("a").on(14));
    const auto result = transform(recorded(trace, "whole"), configuration(Transform::replicate, 2));
    EXPECT_EQ(programme(result), "h0 e0 w1 k1 h2 e2 w3 k3");
    EXPECT_EQ(result.events, 2U);
    EXPECT_EQ(std::get<EventWait>(result.operations[6].action).event, EventIndex{1});
}

TEST(Replicate, needs_the_memory_of_every_replica) {
    TraceBuilder trace;
    trace.trace().devices[0].memory = mib(100);
    trace.allocate(2 << 20, mib(30)).issue(kernel("a"));
    const auto workload = recorded(trace, "whole");
    const auto three = transform(workload, configuration(Transform::replicate, 3));
    EXPECT_EQ(three.device_bytes, mib(90));
    EXPECT_EQ(three.round->recorded, mib(30));
    EXPECT_EQ(three.round->now, mib(90));
    EXPECT_TRUE(
        warns(transform(workload, configuration(Transform::replicate, 4)), "device-memory"));
}

TEST(Replicate, does_not_leave_work_on_the_legacy_default_stream) {
    TraceBuilder trace;
    trace.issue(kernel("a").on(7));
    const auto result = transform(recorded(trace, "whole"), configuration(Transform::replicate, 2));
    for (const auto& stream : result.streams) {
        EXPECT_EQ(stream.kind, StreamKind::blocking);
    }
}

Configuration split_into(std::uint32_t parts, std::uint32_t streams) {
    auto result = configuration(Transform::split, streams);
    result.parts = parts;
    return result;
}

TEST(Split, cuts_each_unit_and_deals_its_parts) {
    TraceBuilder trace;
    trace.issue(h2d(Bytes{1000})).issue(kernel("a").grid(5)).issue(d2h(Bytes{1001}));
    const auto result = transform(recorded(trace, "whole"), split_into(3, 2));
    EXPECT_EQ(programme(result), "h0 k0 d0 h1 k1 d1 h0 k0 d0");
    const auto bytes = [&](std::size_t i) {
        return std::get<Copy>(result.operations[i].action).bytes.count();
    };
    const auto grid = [&](std::size_t i) {
        return result.kernels[index(std::get<KernelLaunch>(result.operations[i].action).kernel)]
            .shape.grid.x;
    };
    // 1000 = 334 + 333 + 333; 1001 = 334 + 334 + 333; 5 blocks = 2 + 2 + 1.
    EXPECT_EQ(bytes(0), 334U);
    EXPECT_EQ(bytes(3), 333U);
    EXPECT_EQ(bytes(6), 333U);
    EXPECT_EQ(bytes(2), 334U);
    EXPECT_EQ(bytes(5), 334U);
    EXPECT_EQ(bytes(8), 333U);
    EXPECT_EQ(grid(1), 2U);
    EXPECT_EQ(grid(4), 2U);
    EXPECT_EQ(grid(7), 1U);
    EXPECT_EQ(std::get<KernelLaunch>(result.operations[1].action).measured->amount, 5U);
}

TEST(Split, divides_the_largest_dimension_of_a_grid) {
    TraceBuilder trace;
    trace.issue(kernel("a").grid(2, 12, 3));
    const auto result = transform(recorded(trace, "whole"), split_into(4, 4));
    for (const auto& operation : result.operations) {
        const auto& launch = std::get<KernelLaunch>(operation.action);
        EXPECT_EQ(result.kernels[index(launch.kernel)].shape.grid, (Extent{2, 3, 3}));
    }
}

TEST(Split, lays_out_a_grid_of_many_short_dimensions_along_x) {
    TraceBuilder trace;
    trace.issue(kernel("a").grid(4, 4));
    const auto result = transform(recorded(trace, "whole"), split_into(8, 2));
    const auto& launch = std::get<KernelLaunch>(result.operations[0].action);
    EXPECT_EQ(result.kernels[index(launch.kernel)].shape.grid, (Extent{2, 1, 1}));
}

TEST(Split, leaves_a_grid_that_is_too_small_and_says_so) {
    TraceBuilder trace;
    trace.issue(kernel("a").grid(3));
    const auto result = transform(recorded(trace, "whole"), split_into(4, 4));
    ASSERT_EQ(result.operations.size(), 4U);
    const auto& launch = std::get<KernelLaunch>(result.operations[3].action);
    EXPECT_EQ(result.kernels[index(launch.kernel)].shape.grid.x, 3U);
    EXPECT_TRUE(warns(result, "grid-too-small"));
}

TEST(Split, can_cut_the_duration_of_kernels_instead_of_their_grid) {
    TraceBuilder trace;
    trace.issue(kernel("a").grid(3).taking(100us));
    auto wanted = split_into(4, 4);
    wanted.split_kernels = SplitKernels::duration;
    const auto result = transform(recorded(trace, "whole"), wanted);
    for (const auto& operation : result.operations) {
        const auto& launch = std::get<KernelLaunch>(operation.action);
        EXPECT_EQ(launch.measured->duration, 25us);
        EXPECT_EQ(result.kernels[index(launch.kernel)].shape.grid.x, 3U);
    }
    EXPECT_FALSE(warns(result, "grid-too-small"));
}

TEST(Split, does_not_cut_what_comes_before_and_after_the_units) {
    TraceBuilder trace;
    trace.issue(h2d(kib(4)));
    for (int i = 0; i < 2; ++i) {
        trace.issue(h2d(mib(1))).issue(kernel("a"));
    }
    const auto result = transform(recorded(trace), split_into(2, 2));
    EXPECT_EQ(programme(result), "h0 e0 w1 h0 k0 h1 k1 h0 k0 h1 k1");
    EXPECT_EQ(std::get<Copy>(result.operations[0].action).bytes, kib(4));
}

TEST(Split, spends_the_units_own_host_time_once) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).host_time(8us).issue(kernel("a"));
    const auto result = transform(recorded(trace, "whole"), split_into(2, 2));
    EXPECT_EQ(result.operations[1].host_before, 8us);
    EXPECT_EQ(result.operations[3].host_before, 0us);
}

TEST(Split, pays_for_the_first_call_of_the_program_once) {
    TraceBuilder trace;
    trace.issue(h2d(mib(1))).issue(h2d(mib(1))).issue(h2d(mib(1)));
    auto workload = recorded(trace, "count:3");
    workload.operations[0].call_cost = 20us;
    workload.operations[1].call_cost = 2us;
    workload.operations[2].call_cost = 1us;
    const auto result = transform(workload, split_into(2, 2));
    EXPECT_EQ(result.operations[0].call_cost, 20us);
    EXPECT_EQ(result.operations[1].call_cost, 2us) << "the median of its like";
    EXPECT_EQ(result.operations[4].call_cost, 1us);
    EXPECT_EQ(result.operations[5].call_cost, 1us) << "no more than its own";
}

TEST(AsRecorded, changes_nothing_when_waits_are_kept) {
    const auto workload = recorded(three_units());
    const auto result = transform(
        workload, configuration(Transform::as_recorded, 1, IssueOrder::depth, SyncPolicy::keep));
    EXPECT_EQ(programme(result), programme(workload));
    EXPECT_EQ(result.streams[0].kind, StreamKind::legacy_default);
}

TEST(AsRecorded, keeps_threads_and_streams_when_waits_are_deferred) {
    TraceBuilder trace;
    trace.on_thread(1).issue(h2d(mib(1)).on(13)).synchronise_stream(13);
    trace.on_thread(2).issue(h2d(mib(1)).on(14));
    trace.on_thread(1).issue(kernel("a").on(13)).synchronise_stream(13);
    const auto result =
        transform(recorded(trace, "whole"), configuration(Transform::as_recorded, 1));
    EXPECT_EQ(programme(result), "h0 h1 k0 s0 s1");
    EXPECT_EQ(result.threads, 2U);
    EXPECT_EQ(result.operations[1].thread, ThreadIndex{1});
}

TEST(Transform, refuses_what_cannot_be_issued) {
    const auto workload = recorded(three_units());
    EXPECT_THROW(transform(workload, configuration(Transform::distribute, 0)), UsageError);
    EXPECT_THROW(transform(workload, split_into(0, 1)), UsageError);
}

}  // namespace
}  // namespace overcast
