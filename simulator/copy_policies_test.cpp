// The order of service is a parameter: the same copies under each policy. 1 byte is 1 ns.

#include "simulator/copy_policies.hpp"

#include "simulator/simulator.hpp"
#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

DeviceModel serving(CopyService service) {
    auto model = round_model();
    model.copy_service = service;
    return model;
}

/// Stream 0 has a long copy and a second one, stream 1 one that was issued last.
Workload second_of_a_stream_before_another_stream() {
    WorkloadBuilder program{2};
    program.on(0).h2d(100_B).h2d(10_B).on(1).h2d(10_B);
    return program.workload();
}

/// Stream 0 has the first and the last copy, streams 1 and 2 those between.
Workload another_stream_before_the_second_of_a_stream() {
    WorkloadBuilder program{3};
    program.on(0).h2d(100_B).on(1).h2d(10_B).on(2).h2d(10_B).on(0).h2d(10_B);
    return program.workload();
}

TEST(CopyPolicies, draining_stays_on_the_channel_whatever_was_issued_first) {
    const auto model = serving(CopyService::drain);
    EXPECT_EQ(ran(simulate(second_of_a_stream_before_another_stream(), model), 1), "100-110");
    EXPECT_EQ(ran(simulate(another_stream_before_the_second_of_a_stream(), model), 3), "100-110");
}

// The call of the second copy of stream 0 returns at 95, 5 before the end of the one that runs;
// stream 1 has been ready since 0.
TEST(CopyPolicies, an_engine_chooses_before_the_copy_that_runs_has_ended) {
    auto model = serving(CopyService::drain);
    const auto second_runs = [&](Duration returns, const Rules& rules = {}) {
        WorkloadBuilder program{2};
        program.on(0).h2d(100_B).on(1).h2d(10_B).on(0).host_works(returns).h2d(10_B);
        return ran(simulate(program.workload(), model, rules), 2);
    };
    EXPECT_EQ(second_runs(95ns), "100-110");  // not measured: in time
    model.look_ahead.call = 5ns;
    EXPECT_EQ(second_runs(95ns), "100-110");
    EXPECT_EQ(second_runs(96ns), "110-120");
    Rules without;
    without.switch_off(Rule::look_ahead);
    EXPECT_EQ(second_runs(96ns, without), "100-110");
}

// What comes too late is served next where nothing else is ready.
TEST(CopyPolicies, too_late_is_early_enough_where_nothing_else_is_ready) {
    auto model = serving(CopyService::drain);
    model.look_ahead.call = 5ns;
    WorkloadBuilder program{2};
    program.on(0).h2d(100_B).host_works(98ns).on(1).h2d(10_B).host_works(1ns).on(0).h2d(10_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 1), "100-110");  // first ready, first served
    EXPECT_EQ(ran(timeline, 2), "110-120");
}

// Behind a copy until 100 four small ones, the last from 130 to 140, while stream 1 is ready. The
// engine takes the last when the one two before it starts, at 110, and knows then what follows.
TEST(CopyPolicies, an_engine_takes_small_copies_ahead) {
    auto model = serving(CopyService::drain);
    model.look_ahead.call = 5ns;
    const auto fifth_runs = [&](Duration returns) {
        WorkloadBuilder program{2};
        program.on(0).h2d(100_B).on(1).h2d(10_B).on(0).h2d(10_B).h2d(10_B).h2d(10_B).h2d(10_B);
        program.host_works(returns).h2d(10_B);
        return ran(simulate(program.workload(), model), 6);
    };
    EXPECT_EQ(fifth_runs(135ns), "140-150");  // none taken ahead: as of the end
    EXPECT_EQ(fifth_runs(136ns), "150-160");
    model.look_ahead.copies_ahead = Curve{{{1, 2}, {10, 2}}};
    EXPECT_EQ(fifth_runs(110ns), "140-150");
    EXPECT_EQ(fifth_runs(111ns), "150-160");
    model.look_ahead.copies_ahead = Curve{{{1, 1.5}, {10, 1.5}}};
    EXPECT_EQ(fifth_runs(115ns), "140-150");
    EXPECT_EQ(fifth_runs(116ns), "150-160");
    model.look_ahead.copies_ahead = Curve{{{1, 2}, {9, 2}}};  // not of copies as large as these
    EXPECT_EQ(fifth_runs(135ns), "140-150");
}

// Streams 0 and 2 share a channel, in which a copy stands behind the one that runs until 100.
TEST(CopyPolicies, what_a_copy_waits_for_has_to_end_before_the_choice) {
    auto model = serving(CopyService::drain);
    model.channels.h2d = {10, 11};
    model.gaps.base[static_cast<std::size_t>(GapKind::kernel_to_d2h)] = 1ns;
    model.look_ahead.kernel = 11ns;
    const auto waiting_copy_runs = [&](Duration kernel) {
        WorkloadBuilder program{3};
        program.on(2).kernel(1, kernel).on(0).h2d(100_B).on(1).h2d(10_B).on(2).h2d(10_B);
        Rules fixed;
        fixed.switch_off(Rule::channel_ownership);
        return ran(simulate(program.workload(), model, fixed), 3);
    };
    EXPECT_EQ(waiting_copy_runs(89ns), "100-110");
    EXPECT_EQ(waiting_copy_runs(90ns), "110-120");
}

TEST(CopyPolicies, first_issued_is_first_served) {
    const auto model = serving(CopyService::fifo_by_issue);
    EXPECT_EQ(ran(simulate(second_of_a_stream_before_another_stream(), model), 1), "100-110");
    EXPECT_EQ(ran(simulate(another_stream_before_the_second_of_a_stream(), model), 3), "120-130");
}

// The second copy of stream 0 is ready when its first one ends, the other stream's long before.
TEST(CopyPolicies, first_ready_is_first_served) {
    const auto model = serving(CopyService::fifo_by_readiness);
    const auto timeline = simulate(second_of_a_stream_before_another_stream(), model);
    EXPECT_EQ(ran(timeline, 2), "100-110");
    EXPECT_EQ(ran(timeline, 1), "110-120");
}

// Each at half the rate: the shorter is done after 2 * 50, the longer has 50 left then.
TEST(CopyPolicies, a_fair_share_runs_copies_of_two_streams_at_once) {
    WorkloadBuilder program{2};
    program.on(0).h2d(100_B).on(1).h2d(50_B);
    const auto timeline = simulate(program.workload(), serving(CopyService::fair_share));
    EXPECT_EQ(ran(timeline, 1), "0-100");
    EXPECT_EQ(ran(timeline, 0), "0-150");
}

// The second joins at 60. Then the first has 40 left and needs 80: ends at 140, when the second has
// had 40 of its 50: 10 more alone.
TEST(CopyPolicies, a_fair_share_lets_the_second_stream_in_after_the_threshold) {
    auto model = serving(CopyService::fair_share);
    model.transfer_overlap_threshold = 60ns;
    WorkloadBuilder program{2};
    program.on(0).h2d(100_B).on(1).h2d(50_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 0), "0-140");
    EXPECT_EQ(ran(timeline, 1), "60-150");
}

// Three copies over two streams: the second of stream 0 takes the share that the first left.
// 0: 20 at half the rate, ends at 40; then 20 again at half: ends at 80; the other: 60 - 40 = 20
// left, alone: ends at 100.
TEST(CopyPolicies, a_fair_share_goes_on_with_the_next_of_a_channel) {
    WorkloadBuilder program{2};
    program.on(0).h2d(20_B).h2d(20_B).on(1).h2d(60_B);
    const auto timeline = simulate(program.workload(), serving(CopyService::fair_share));
    EXPECT_EQ(ran(timeline, 0), "0-40");
    EXPECT_EQ(ran(timeline, 1), "40-80");
    EXPECT_EQ(ran(timeline, 2), "0-100");
}

TEST(CopyPolicies, switching_the_drain_rule_off_serves_what_was_ready_first) {
    Rules rules;
    rules.switch_off(Rule::engine_drain);
    const auto timeline =
        simulate(second_of_a_stream_before_another_stream(), serving(CopyService::drain), rules);
    EXPECT_EQ(ran(timeline, 2), "100-110");
}

}  // namespace
}  // namespace overcast
