// What calls take on the host beside what they would by themselves.
#include "simulator/simulator.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using test::round_model;
using test::WorkloadBuilder;
using namespace test;

TEST(CallTime, a_call_into_another_stream_costs_more_the_more_streams_there_are) {
    auto model = round_model();
    model.host.copy_stream_change_ns = Curve{{{1, 0}, {2, 3}, {3, 5}}};
    WorkloadBuilder program{3};
    program.on(0).d2h(10_B).on(1).d2h(10_B).on(1).d2h(10_B);
    auto workload = program.workload();
    const auto extra = [&](const Rules& rules) {
        const auto timeline = simulate(workload, model, rules);
        const auto call = [&](std::size_t i) {
            return timeline.entries[i].call_end - timeline.entries[i].call_start;
        };
        EXPECT_EQ(call(0), call(2));  // the first call of all, and one into the same stream
        return call(1) - call(2);
    };
    EXPECT_EQ(extra(Rules{}), 5ns);
    workload.recorded_streams = 2;  // what the recorded calls have in them
    EXPECT_EQ(extra(Rules{}), 2ns);
    Rules rules;
    rules.switch_off(Rule::stream_change);
    EXPECT_EQ(extra(rules), 0ns);
}

Duration call(const Timeline& timeline, std::size_t operation) {
    const auto& entry = timeline.entries[operation];
    return entry.call_end - entry.call_start;
}

// The copy runs from the return of its call at 10 on, a nanosecond a byte.
TEST(CallTime, a_launch_costs_more_while_a_copy_to_the_device_is_on_the_link) {
    auto model = round_model();
    model.host.kernel_call_beside_h2d = 8ns;
    const auto calls = [&](Bytes bytes, bool to_the_device, const Rules& rules) {
        WorkloadBuilder program;
        program.calls_take(10ns).on(1);
        to_the_device ? program.h2d(bytes) : program.d2h(bytes);
        program.on(0).kernel(1, 1ns).memset(64_B).h2d(1_B);
        return simulate(program.workload(), model, rules);
    };
    const auto beside = calls(100_B, true, Rules{});
    EXPECT_EQ(call(beside, 1), 18ns);
    EXPECT_EQ(call(beside, 2), 18ns);
    EXPECT_EQ(call(beside, 3), 10ns);  // the data of copies is fetched by the device
    const auto briefly = calls(5_B, true, Rules{});
    EXPECT_EQ(call(briefly, 1), 14ns);  // for half of the call
    EXPECT_EQ(call(briefly, 2), 10ns);
    EXPECT_EQ(call(calls(100_B, false, Rules{}), 1), 10ns);
    Rules rules;
    rules.switch_off(Rule::call_beside_copy);
    EXPECT_EQ(call(calls(100_B, true, rules), 1), 10ns);
}

TEST(CallTime, only_the_bytes_of_a_copy_are_on_the_link) {
    auto model = round_model();
    model.host.kernel_call_beside_h2d = 10ns;
    model.h2d.latency = 6ns;
    WorkloadBuilder program;
    program.calls_take(10ns).on(1).h2d(2_B).on(0).kernel(1, 1ns);
    // The copy runs from 10 to 18, its bytes from 16 on; the call from 10 to 20.
    EXPECT_EQ(call(simulate(program.workload(), model), 1), 12ns);
}

TEST(CallTime, the_device_hears_of_work_before_a_recorded_call_returns) {
    auto model = round_model();
    model.host.copy_start_latency = 30ns;
    model.host.kernel_start_latency = 30ns;
    model.host.share_after_work = 0.25;
    const auto from_return = [&](Duration calls, bool kernel) {
        WorkloadBuilder program;
        program.calls_take(calls);
        kernel ? program.kernel(1, 1ns) : program.h2d(1_B);
        const auto timeline = simulate(program.workload(), model);
        return timeline.entries[0].device_start - timeline.entries[0].call_end;
    };
    EXPECT_EQ(from_return(8ns, false), 28ns);
    EXPECT_EQ(from_return(40ns, false), 20ns);
    EXPECT_EQ(from_return(40ns, true), 20ns);
    EXPECT_EQ(from_return(400ns, false), 0ns);  // no sooner than the return
}

}  // namespace
}  // namespace overcast
