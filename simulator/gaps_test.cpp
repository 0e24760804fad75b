// How long after the end of one operation the next of its stream starts, with round numbers: 1 byte
// is 1 ns.

#include "simulator/simulator.hpp"

#include "tests/support/ran.hpp"
#include "tests/support/round_model.hpp"
#include "tests/support/workload_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

TEST(Gaps, separate_dependent_operations_of_a_stream) {
    auto model = round_model();
    model.gaps.base[static_cast<std::size_t>(GapKind::h2d_to_kernel)] = 4ns;
    model.gaps.base[static_cast<std::size_t>(GapKind::kernel_to_d2h)] = 5ns;
    WorkloadBuilder program;
    program.on(0).h2d(100_B).kernel(1, 50ns).d2h(10_B);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 1), "104-154");
    EXPECT_EQ(ran(timeline, 2), "159-169");
}

// The second kernel of stream 0 becomes ready while stream 1 copies in (0-100), the third does not.

TEST(Gaps, are_longer_while_copies_use_the_link) {
    auto model = round_model();
    const auto kind = static_cast<std::size_t>(GapKind::kernel_to_kernel);
    model.gaps.growth_beside_h2d_ns[kind] = Curve{{{0, 7}}};
    WorkloadBuilder program;
    program.on(1).h2d(100_B).on(0).kernel(1, 50ns).kernel(1, 50ns).kernel(1, 50ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 2), "57-107");
    EXPECT_EQ(ran(timeline, 3), "107-157");
}

TEST(Gaps, a_copy_uses_the_link_only_while_its_bytes_move) {
    auto model = round_model();
    model.gaps.growth_beside_h2d_ns[static_cast<std::size_t>(GapKind::kernel_to_kernel)] =
        Curve{{{0, 7}}};
    model.h2d.latency = 97ns;
    WorkloadBuilder program;
    program.on(1).h2d(3_B).on(0).kernel(1, 50ns).kernel(1, 50ns);
    const auto timeline = simulate(program.workload(), model);
    EXPECT_EQ(ran(timeline, 0), "0-100");
    EXPECT_EQ(ran(timeline, 2), "53-103");
}

// The kernel of stream 0 waits for a copy that ends at 100: what counts is the copy behind it. One
// of 100 ns delays it by what was measured, one of 3 ns by no more than these, none not at all.

TEST(Gaps, behind_a_copy_are_longer_where_the_next_copy_uses_the_link) {
    auto model = round_model();
    const auto kind = static_cast<std::size_t>(GapKind::h2d_to_kernel);
    model.gaps.growth_beside_h2d_ns[kind] = Curve{{{0, 7}}};
    const auto kernel_runs = [&](const WorkloadBuilder& program) {
        return ran(simulate(program.workload(), model), 1);
    };
    WorkloadBuilder alone;
    alone.on(0).h2d(100_B).kernel(1, 50ns);
    EXPECT_EQ(kernel_runs(alone), "100-150");
    WorkloadBuilder followed;
    followed.on(0).h2d(100_B).kernel(1, 50ns).on(1).h2d(100_B);
    EXPECT_EQ(kernel_runs(followed), "107-157");
    WorkloadBuilder shortly;
    shortly.on(0).h2d(100_B).kernel(1, 50ns).on(1).h2d(3_B);
    EXPECT_EQ(kernel_runs(shortly), "103-153");
    WorkloadBuilder one_channel{2};
    one_channel.max_connections(1).on(0).h2d(100_B).kernel(1, 50ns).on(1).h2d(100_B);
    EXPECT_EQ(kernel_runs(one_channel), "107-157");
}

// While the D2H copy of stream 1 waits, that of stream 0 becomes ready at 50. Measured was what
// waits for an event: it makes the gap longer, a wait for the kernel before does not.

TEST(Gaps, of_copies_are_longer_while_other_channels_wait_for_an_event) {
    auto model = round_model();
    const auto kind = static_cast<std::size_t>(GapKind::kernel_to_d2h);
    model.gaps.growth_ns[kind] = Curve{{{0, 0}, {1, 7}}};
    WorkloadBuilder in_stream;
    in_stream.on(1).kernel(1, 500ns).d2h(10_B).on(0).kernel(1, 50ns).d2h(10_B);
    EXPECT_EQ(ran(simulate(in_stream.workload(), model), 3), "50-60");
    WorkloadBuilder event;
    event.on(2).kernel(1, 500ns).record().on(1).wait_for(0).d2h(10_B);
    event.on(0).kernel(1, 50ns).d2h(10_B);
    EXPECT_EQ(ran(simulate(event.workload(), model), 5), "57-67");
}

// The kernel of stream 1 waits for an event in the second channel. Streams take the channels in the
// order in which they come, and every second one is served by the same engine.

TEST(Gaps, of_kernels_are_longer_while_channels_of_the_same_engine_wait) {
    auto model = round_model();
    model.gaps.growth_ns[static_cast<std::size_t>(GapKind::kernel_to_kernel)] =
        Curve{{{0, 0}, {1, 3}, {2, 7}}};
    const auto second_kernel = [&](bool third_channel_is_taken, const Rules& rules) {
        WorkloadBuilder program{5};
        program.on(2).kernel(1, 500ns).record().on(1).wait_for(0).kernel(1, 10ns);
        if (third_channel_is_taken) {
            program.on(4).kernel(1, 10ns);
        }
        program.on(0).kernel(1, 50ns).kernel(1, 10ns);
        return ran(simulate(program.workload(), model, rules), third_channel_is_taken ? 6 : 5);
    };
    EXPECT_EQ(second_kernel(false, {}), "50-60");
    EXPECT_EQ(second_kernel(true, {}), "57-67");
    Rules rules;
    rules.switch_off(Rule::host_engines);
    EXPECT_EQ(second_kernel(false, rules), "53-63");
}

// 50 bytes are set or copied in 50 ns; a copy brings in what it reads and what it writes.

TEST(Gaps, of_kernels_are_longer_behind_what_brings_data_into_the_l2) {
    auto model = round_model();
    model.gaps.growth_ns_by_bytes[0] = Curve{{{0, 0}, {100, 10}}};
    model.gaps.growth_ns_by_bytes[1] = Curve{{{0, 0}, {100, 30}}};
    const auto kernel_runs = [&](const WorkloadBuilder& program, std::size_t operation,
                                 const Rules& rules = {}) {
        return ran(simulate(program.workload(), model, rules), operation);
    };
    WorkloadBuilder after_memset;
    after_memset.on(0).memset(50_B).kernel(1, 50ns).kernel(1, 50ns);
    EXPECT_EQ(kernel_runs(after_memset, 1), "55-105");
    EXPECT_EQ(kernel_runs(after_memset, 2), "105-155");  // the kernel brings nothing in
    WorkloadBuilder after_copy;
    after_copy.on(0).d2d(50_B).kernel(1, 50ns);
    EXPECT_EQ(kernel_runs(after_copy, 1), "60-110");
    WorkloadBuilder beside_copies;
    beside_copies.on(1).h2d(200_B).on(0).memset(50_B).kernel(1, 50ns);
    EXPECT_EQ(kernel_runs(beside_copies, 2), "65-115");
    WorkloadBuilder before_copy;
    before_copy.on(0).memset(50_B).d2h(10_B);
    EXPECT_EQ(kernel_runs(before_copy, 1), "50-60");
    Rules rules;
    rules.switch_off(Rule::read_ahead);
    EXPECT_EQ(kernel_runs(after_memset, 1, rules), "50-100");
    EXPECT_EQ(kernel_runs(after_copy, 1, rules), "50-100");
    EXPECT_EQ(kernel_runs(beside_copies, 2, rules), "50-100");
}

// The copy of stream 0 ends at 100; the kernel behind it is seen 40 later by itself.
TEST(Gaps, end_early_where_a_further_call_makes_the_channel_look) {
    auto model = round_model();
    constexpr auto kKind = static_cast<std::size_t>(GapKind::h2d_to_kernel);
    model.gaps.base[kKind] = 40ns;
    model.gaps.late_arrival[kKind] = -1ms;
    const auto second = [&](Duration call, const Rules& rules = {}) {
        WorkloadBuilder program;
        program.on(0).h2d(100_B).kernel(1, 50ns).kernel(1, 50ns);
        auto workload = program.workload();
        workload.operations[2].host_before = call;
        return ran(simulate(workload, model, rules), 1);
    };
    EXPECT_EQ(second(110ns), "140-190") << "not measured";
    model.gaps.look_on_call = 5ns;
    EXPECT_EQ(second(110ns), "115-165");
    EXPECT_EQ(second(100ns), "105-155");
    EXPECT_EQ(second(99ns), "140-190") << "the copy has not ended when the device hears of it";
    EXPECT_EQ(second(138ns), "140-190");
    Rules without;
    without.switch_off(Rule::late_arrival);
    EXPECT_EQ(second(110ns, without), "140-190");
}

TEST(Gaps, of_kernels_behind_kernels_do_not_end_early_for_a_call) {
    auto model = round_model();
    model.gaps.base[static_cast<std::size_t>(GapKind::kernel_to_kernel)] = 40ns;
    model.gaps.look_on_call = 5ns;
    WorkloadBuilder program;
    program.on(0).kernel(1, 50ns).kernel(1, 50ns).kernel(1, 50ns);
    auto workload = program.workload();
    workload.operations[2].host_before = 60ns;
    EXPECT_EQ(ran(simulate(workload, model), 1), "90-140");
}

TEST(Gaps, do_not_grow_while_all_memory_stays_in_the_l2) {
    auto model = round_model();
    model.gaps.growth_ns_by_bytes[0] = Curve{{{0, 0}, {100, 10}}};
    model.kernels.l2_kept_bytes = 1000;
    WorkloadBuilder program;
    auto workload = program.on(0).memset(50_B).kernel(1, 50ns).workload();
    workload.device_bytes = Bytes{1000};
    EXPECT_EQ(ran(simulate(workload, model), 1), "50-100");
    workload.device_bytes = Bytes{1001};
    EXPECT_EQ(ran(simulate(workload, model), 1), "55-105");
}

}  // namespace
}  // namespace overcast
