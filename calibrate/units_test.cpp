#include "calibrate/measurements.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace overcast {
namespace {

void count(Trace& trace, const std::string& kernel, KernelCounter counter, double share) {
    KernelCounters counters;
    counters.name =
        trace.names.intern("overcast::probes::(anonymous namespace)::" + kernel + "(float*, int)");
    counters.values[static_cast<std::size_t>(counter)] = share;
    trace.counters.push_back(counters);
}

Draft measured(const Trace& trace) {
    ProbeRuns runs;
    ProbeRun run;
    run.trace = std::make_shared<const Trace>(trace);
    runs.add({"units", ProbeMode::counted}, run);
    Draft draft{DeviceModel{}, "a test"};
    measure_units(runs, draft);
    return draft;
}

TEST(Units, have_the_capacity_that_the_kernel_written_to_saturate_them_reached) {
    Trace trace;
    count(trace, "saturate_xu_pipe", KernelCounter::xu_pipe, 0.8);
    count(trace, "saturate_dram", KernelCounter::dram, 0.9);
    // Another kernel's use of the unit, however much, is not its capacity.
    count(trace, "saturate_issue_slots", KernelCounter::xu_pipe, 0.99);
    const auto draft = measured(trace);
    auto capacities = draft.model.kernels.capacities;
    EXPECT_EQ(capacities[SmUnit::xu_pipe], 0.8);
    EXPECT_EQ(capacities[DeviceUnit::dram], 0.9);
    EXPECT_EQ(capacities[SmUnit::issue_slots], UnitCapacities{}[SmUnit::issue_slots]);
    EXPECT_TRUE(draft.notes.parameters.contains("kernel.capacity.xu_pipe"));
    EXPECT_FALSE(draft.notes.parameters.contains("kernel.capacity.issue_slots"));
}

TEST(Units, keep_their_default_where_the_kernel_did_not_come_near_the_peak) {
    Trace trace;
    count(trace, "saturate_l1", KernelCounter::l1, 0.3);
    EXPECT_TRUE(measured(trace).notes.parameters.empty());
}

TEST(Units, write_to_the_l2_as_fast_as_requests_without_replies_show) {
    Trace trace;
    count(trace, "saturate_l2_writes", KernelCounter::l2_requests, 0.4);
    trace.counters.back().values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.0;
    EXPECT_EQ(measured(trace).model.kernels.capacities[DeviceUnit::l2_writes], 0.4);
}

/// Rows that `blocks` of 1,024 threads write in `took_us`.
void write_rows(Trace& trace, std::uint32_t blocks, double took_us, double requests) {
    count(trace, "open_rows", KernelCounter::l2_requests, requests);
    auto& counters = trace.counters.back();
    counters.name = trace.names.intern("overcast::probes::open_rows(uint2*, unsigned int)");
    counters.grid = {blocks, 1, 1};
    counters.block = {1024, 1, 1};
    counters.values[static_cast<std::size_t>(KernelCounter::l2_replies)] = 0.0;
    counters.values[static_cast<std::size_t>(KernelCounter::l2)] = requests / 4;
    counters.values[static_cast<std::size_t>(KernelCounter::dram)] = 0.1;
    counters.values[static_cast<std::size_t>(KernelCounter::duration_ns)] = took_us * 1e3;
}

TEST(Units, reach_less_the_more_rows_of_the_dram_are_open) {
    Trace trace;
    write_rows(trace, 10, 100, 0.1);
    write_rows(trace, 20, 100, 0.2);  // nothing holds them up yet
    write_rows(trace, 80, 200, 0.4);  // four times as fast as 10, not eight times
    write_rows(trace, 160, 800, 0.4);
    ProbeRuns runs;
    runs.add({"units", ProbeMode::counted}, {{}, std::make_shared<const Trace>(trace), {}});
    Draft draft{DeviceModel{}, "a test"};
    draft.model.device.multiprocessors = 80;
    draft.model.kernels.capacities[DeviceUnit::dram_writes] = 0.5;
    measure_units(runs, draft);
    const auto& share = draft.model.kernels.capacities.dram_writes_share;
    ASSERT_EQ(share.points().size(), 2U);
    EXPECT_DOUBLE_EQ(share.linear(32), 4 * 0.1 / 0.5);
    EXPECT_DOUBLE_EQ(share.linear(64), 2 * 0.1 / 0.5);
}

TEST(Units, reach_less_of_the_dram_the_more_of_what_it_moves_is_written) {
    Trace trace;
    const auto mixed = [&](const char* lines, double share) {
        count(trace, "mixed", KernelCounter::dram, share);
        trace.counters.back().name = trace.names.intern(fmt::format(
            "void overcast::probes::mixed_dram<{}>(float*, float4*, int, unsigned long long)",
            lines));
    };
    mixed("4, 0", 0.8);
    mixed("4, 4", 0.6);
    mixed("4, 1", 0.7);
    mixed("4, 1", 0.74);
    const auto draft = measured(trace);
    const auto& capacities = draft.model.kernels.capacities;
    ASSERT_EQ(capacities.dram_by_written.points().size(), 3U);
    EXPECT_DOUBLE_EQ(capacities.reached_of_dram(2, 0), 1);
    EXPECT_NEAR(capacities.reached_of_dram(2, 0.4), 0.9, 1e-9);
    EXPECT_NEAR(capacities.reached_of_dram(2, 1), 0.75, 1e-9);
}

TEST(Units, look_up_as_much_at_the_peak_as_was_read_for_the_share_that_was_counted) {
    Trace trace;
    count(trace, "saturate_l2_replies", KernelCounter::l2, 0.5);
    trace.counters.back().values[static_cast<std::size_t>(KernelCounter::duration_ns)] = 100.0;
    ProbeRuns runs;
    runs.add({"units", ProbeMode::counted}, {parse_probe_output("value units_l2_reply_bytes 1e6\n"),
                                             std::make_shared<const Trace>(trace),
                                             {}});
    Draft draft{DeviceModel{}, "a test"};
    measure_units(runs, draft);
    EXPECT_DOUBLE_EQ(draft.model.kernels.capacities.l2_bytes_per_ns, 20'000);
}

TEST(Units, are_not_measured_where_no_counters_could_be_read) {
    Draft draft{DeviceModel{}, "a test"};
    EXPECT_THROW(measure_units(ProbeRuns{}, draft), Error);
}

}  // namespace
}  // namespace overcast
