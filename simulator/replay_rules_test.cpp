// What a replay asks of the simulator: work inside a call after its wait, calls that return early,
// and durations that hold what operations did to each other.
#include "simulator/simulator.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

TimelineTime at(Duration time) { return TimelineTime{time}; }

TEST(ReplayRules, a_release_does_its_own_work_when_its_wait_is_over) {
    WorkloadBuilder program;
    program.on(0).kernel(2, 50ns).release_memory().kernel(2, 50ns);
    auto workload = program.workload();
    workload.operations[1].after_wait = 30ns;
    const auto timeline = simulate(workload, round_model());
    EXPECT_EQ(timeline.entries[1].call_end, at(80ns));
    EXPECT_EQ(timeline.entries[2].call_start, at(80ns));
}

TEST(ReplayRules, a_staged_copy_returns_before_its_end) {
    auto model = round_model();
    model.host.early_return = 20ns;
    WorkloadBuilder program;
    program.on(0).h2d(100_B, MemoryKind::pageable).on(1).d2h(10_B).synchronise(0);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(timeline.entries[0].device_end, at(100ns));
    EXPECT_EQ(timeline.entries[0].call_end, at(80ns));
    EXPECT_EQ(timeline.entries[1].call_start, at(80ns));
    EXPECT_EQ(timeline.entries[2].call_end, at(100ns));  // the rest is waited for here
}

TEST(ReplayRules, a_staged_copy_behind_others_returns_before_its_own_end) {
    auto model = round_model();
    model.host.early_return = 20ns;
    WorkloadBuilder program;
    program.on(0).h2d(300_B).h2d(100_B, MemoryKind::pageable).kernel(2, 10ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(timeline.entries[1].device_end, at(400ns));
    EXPECT_EQ(timeline.entries[1].call_end, at(380ns));
}

TEST(ReplayRules, a_buffered_copy_does_not_hold_the_host) {
    WorkloadBuilder program;
    program.on(0).h2d(100_B, MemoryKind::pageable).on(1).d2h(10_B);
    auto workload = program.workload();
    std::get<Copy>(workload.operations[0].action).buffered = true;
    EXPECT_EQ(simulate(workload, round_model()).entries[0].call_end, at(0ns));
}

// Two kernels that share SMs were recorded at 90 ns each; alone they might have taken half of that.
// Played again side by side, each takes its 90 ns, neither more nor less.
TEST(ReplayRules, durations_recorded_side_by_side_stay_as_they_were) {
    WorkloadBuilder program;
    program.on(0).kernel(2, 90ns, 512).on(1).kernel(2, 90ns, 512);
    auto workload = program.workload();
    workload.contended = true;
    const auto timeline = simulate(workload, round_model());
    for (const auto& entry : timeline.entries) {
        EXPECT_EQ(entry.device_end - entry.device_start, 90ns);
    }
}

TEST(ReplayRules, a_recorded_kernel_ends_on_time_though_blocks_found_no_room) {
    // The first fills the device in several waves, the second starts in its tail.
    WorkloadBuilder program;
    program.on(0).kernel(7, 100ns).on(1).kernel(7, 60ns).on(2).kernel(7, 40ns);
    auto workload = program.workload();
    workload.contended = true;
    const auto timeline = simulate(workload, round_model());
    EXPECT_EQ(timeline.entries[0].device_end - timeline.entries[0].device_start, 100ns);
    EXPECT_EQ(timeline.entries[1].device_end - timeline.entries[1].device_start, 60ns);
    EXPECT_EQ(timeline.entries[2].device_end - timeline.entries[2].device_start, 40ns);
    EXPECT_LE(timeline.entries[0].device_start, timeline.entries[1].device_start);
    EXPECT_LE(timeline.entries[1].device_start, timeline.entries[2].device_start);
}

TEST(ReplayRules, copies_recorded_side_by_side_do_not_slow_each_other_again) {
    auto model = round_model();
    model.h2d.duplex_factor = Curve{{{1, 2.0}}};
    model.d2h.duplex_factor = Curve{{{1, 2.0}}};
    WorkloadBuilder program;
    program.on(0).h2d(100_B).on(1).d2h(100_B);
    auto workload = program.workload();
    EXPECT_GT(simulate(workload, model).wall, 150ns);
    workload.contended = true;
    EXPECT_EQ(simulate(workload, model).wall, 100ns);
}

// Blocks of 32 warps want the issue slots of more than one SM: alone, a kernel's measured time
// holds that already. So does the time of a copy inside the device, and of a memset.
TEST(ReplayRules, a_memset_and_a_copy_inside_the_device_take_what_was_measured) {
    auto model = round_model();
    model.kernels.saturating_warps = 8;
    WorkloadBuilder program;
    program.on(0).memset(500_B).d2d(300_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(timeline.entries[0].device_end - timeline.entries[0].device_start, 500ns);
    EXPECT_EQ(timeline.entries[1].device_end - timeline.entries[1].device_start, 300ns);
}

}  // namespace
}  // namespace overcast
