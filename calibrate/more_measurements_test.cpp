// Kernels and copies side by side, gaps beside many channels, host calls that no rule reads.
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace test;

/// Three copies each way beside a kernel of a kind; without one where `kernel` is nothing.
Phase copies_beside(int kind, Duration h2d, Duration d2h) {
    std::vector<Slot> slots;
    if (kind > 0) {
        slots.push_back({ActivityKind::kernel, 0us, 10ms});
    }
    for (int i = 0; i < 3; ++i) {
        slots.push_back({ActivityKind::h2d, 1ms + i * 1ms, 1ms + i * 1ms + h2d, 1 << 20});
        slots.push_back({ActivityKind::d2h, 1ms + i * 1ms, 1ms + i * 1ms + d2h, 1 << 20});
    }
    return phase("copies_beside", 1 << 20, kind, slots);
}

Phase kernel(const std::string& quantity, int kind, Duration took) {
    return phase(quantity, 1 << 24, kind, {{ActivityKind::kernel, 0us, took}});
}

std::vector<Phase> memory_phases() {
    // Alone 20 us each way; beside reads 22 and 21, beside writes 24 and 23: medians 23 and 22.
    std::vector<Phase> phases{copies_beside(0, 20us, 20us), copies_beside(1, 22us, 21us),
                              copies_beside(2, 24us, 23us), copies_beside(3, 20us, 20us)};
    for (const int kind : {1, 2, 3}) {
        phases.push_back(kernel("kernel_alone", kind, 1000us));
        phases.push_back(kernel("kernel_under_h2d", kind, kind == 1 ? 1100us : 1000us));
        phases.push_back(kernel("kernel_under_d2h", kind, kind == 2 ? 1200us : 1000us));
    }
    return phases;
}

TEST(MeasureMemoryKernels, finds_both_slow_downs) {
    const auto draft =
        Runs{}.traced("memory_kernels", memory_phases()).draft_after(measure_memory_kernels);
    const auto& found = draft.model.memory_kernels;
    EXPECT_DOUBLE_EQ(found.h2d_factor.linear(1 << 20), 1.15);
    EXPECT_DOUBLE_EQ(found.d2h_factor.linear(1 << 20), 1.1);
    EXPECT_DOUBLE_EQ(found.read_beside_h2d, 1.1);
    EXPECT_DOUBLE_EQ(found.read_beside_d2h, 1);
    EXPECT_DOUBLE_EQ(found.write_beside_h2d, 1);
    EXPECT_DOUBLE_EQ(found.write_beside_d2h, 1.2);
    EXPECT_THAT(draft.notes.parameters.at("h2d.memory_kernel_factor_by_bytes").source,
                HasSubstr("beside one that computes: 1.000"));
}

TEST(MeasureMemoryKernels, leaves_out_copies_that_outlast_the_kernel) {
    auto phases = memory_phases();
    // The last copy of each begins after the kernel has ended, and is not slowed.
    for (auto& phase : phases) {
        if (phase.label.y == 1 && phase.label.quantity == "copies_beside") {
            phase.activities.front().end = TraceTime{2900us};
            for (auto& activity : phase.activities) {
                if (activity.start == TraceTime{3ms}) {
                    activity.end = TraceTime{3001us};
                }
            }
        }
    }
    const auto model =
        Runs{}.traced("memory_kernels", phases).draft_after(measure_memory_kernels).model;
    // 22 once, 24 twice.
    EXPECT_DOUBLE_EQ(model.memory_kernels.h2d_factor.linear(1 << 20), 1.2);
}

/// Chains through `bytes`, 4,000 at once: one to bring the data in, then three; beside a stream of
/// 1,000 bytes per ns where it takes longer than nothing.
Phase chains(const std::string& quantity, double bytes, Duration took, Duration stream) {
    std::vector<Slot> slots;
    for (int i = 0; i < 4; ++i) {
        slots.push_back({ActivityKind::kernel, i * 1ms, i * 1ms + took});
    }
    auto made = phase(quantity, bytes, 4000, slots);
    for (auto& activity : made.activities) {
        activity.name = "follow_chains(Link const*, unsigned int, unsigned int*)";
    }
    if (stream > 0ns) {
        made.activities.push_back(
            phase(quantity, bytes, 0, {{ActivityKind::kernel, 0us, stream}}).activities.front());
        made.activities.back().name = "stream_through(uint4*, unsigned long, unsigned int)";
    }
    return made;
}

/// Few chains beside a stream of so many warps that reads for 4 ms; none of no warps.
Phase chains_beside_reads(const std::string& quantity, double warps, Duration took) {
    auto made = chains(quantity, warps, took, warps > 0 ? 4ms : 0us);
    if (warps > 0) {
        made.activities.back().name = "read_through(uint4 const*, unsigned long, unsigned, uint4*)";
    }
    return made;
}

/// Chains beside a half of what the fastest stream gets, and beside that one.
std::vector<Phase> growth_phases(const std::string& quantity, Duration alone, Duration half) {
    return {chains_beside_reads(quantity, 0, alone), chains_beside_reads(quantity, 50, half),
            chains_beside_reads(quantity, 25, alone), chains_beside_reads(quantity, 100, 800us)};
}

TEST(MeasureL2Retention, finds_what_a_stream_leaves_of_what_chains_go_round_in) {
    // A load takes 200 ns from the L2, 400 from the DRAM, 600 from the DRAM beside the stream; of 8
    // MB, half of the warps find all that their eight loads ask for: 400.
    std::vector<Phase> phases{
        chains("chain", 8e6, 200us, 0us), chains("chain_beside", 8e6, 400us, 4ms),
        chains("chain", 128e6, 400us, 0us), chains("chain_beside", 128e6, 600us, 4ms)};
    std::ranges::copy(growth_phases("dram_chain_beside_reads", 400us, 425us),
                      std::back_inserter(phases));
    std::ranges::copy(growth_phases("l2_chain_beside_reads", 200us, 206250ns),
                      std::back_inserter(phases));
    // Beside loads of single sectors up to 800 us: three more than alone.
    for (const auto& [warps, took] : std::vector<std::pair<double, Duration>>{
             {0, 200us}, {4, 500us}, {32, 800us}, {16, 700us}}) {
        phases.push_back(chains("l2_chain_beside_lookups", warps, took, warps > 0 ? 9ms : 0us));
        if (warps > 0) {
            phases.back().activities.back().name = "look_up(unsigned const*, unsigned)";
        }
    }
    // Streams that write half of what they move get 0.4 and 0.2 of what the fastest that reads
    // does.
    // By reads 0.4^4 and 0.2^4 longer, by writes 2 x 0.2 and 2 x 0.1.
    std::ranges::copy(std::vector{chains("dram_chain_beside_writes", 0, 400us, 0us),
                                  chains("dram_chain_beside_writes", 50, 570'240ns, 5ms),
                                  chains("dram_chain_beside_writes", 25, 480'640ns, 5ms)},
                      std::back_inserter(phases));
    const auto draft = Runs{}
                           .traced("l2_retention", phases,
                                   "value l2_retention_loads 1000\n"
                                   "value l2_retention_chains_per_warp 8\n"
                                   "value l2_retention_streamed_bytes 4e9\n")
                           .draft_after(measure_l2_retention);
    const auto& kernels = draft.model.kernels;
    EXPECT_DOUBLE_EQ(kernels.capacities.l2_latency_ns, 200);
    EXPECT_DOUBLE_EQ(kernels.capacities.dram_latency, 2);
    // 1/16 longer beside a half of what the fastest stream gets; beside a quarter 1/256 would be.
    EXPECT_NEAR(kernels.capacities.dram_latency_growth, 1, 5e-3);
    EXPECT_NEAR(kernels.capacities.l2_latency_growth, 0.5, 5e-3);
    EXPECT_NEAR(kernels.capacities.dram_latency_growth_by_writes, 2, 5e-3);
    EXPECT_DOUBLE_EQ(kernels.capacities.l2_longest_wait, 3);
    // 4,000 chains look up 320 bytes per ns: 8 MB again after 25 us in the mean. Of the stream's
    // 1,000 bytes per ns half are written, half of which take room.
    const double kept = std::pow(0.5, 1.0 / 8);
    const double time = -25'000 * std::log(1 - kept);
    EXPECT_NEAR(kernels.l2_kept_bytes, time * 750 + 8e6 * kept, 1e3);
}

TEST(MeasureL2Retention, says_where_its_kernels_did_not_run) {
    EXPECT_THROW(Runs{}
                     .traced("l2_retention", {},
                             "value l2_retention_loads 1000\n"
                             "value l2_retention_chains_per_warp 8\n"
                             "value l2_retention_streamed_bytes 4e9\n")
                     .draft_after(measure_l2_retention),
                 Error);
}

TEST(MeasureGapGrowthBeyond, adds_rising_points_behind_those_of_the_usual_channels) {
    const auto row = [](const std::string& chain, int waiting, int period) {
        const auto sample = [&](int units) {
            return "sample " + chain + "_" + std::to_string(units) + " " + std::to_string(waiting) +
                   " " + std::to_string(units * period) + "\n";
        };
        return sample(6) + sample(26);
    };
    std::string text;
    for (const std::string chain :
         {"gaps_k_k_event", "gaps_hkd_k_event", "gaps_hkd_d_event", "gaps_hkd_h_event"}) {
        text += row(chain, -1, 20'000) + row(chain, 7, 23'000) + row(chain, 15, 27'000) +
                row(chain, 23, 25'000) + row(chain, 31, 29'000);
    }
    Draft draft{defaults(), "today"};
    auto& curve = draft.model.gaps.growth_ns[static_cast<std::size_t>(GapKind::kernel_to_kernel)];
    curve = Curve{{{0, 0}, {7, 2500}}};
    ProbeRuns runs;
    runs.add({"gaps_many", ProbeMode::untraced, true, 32}, {parse_probe_output(text), nullptr, {}});
    measure_gap_growth_beyond(runs, draft);
    // 7 is known; 7000 and 5000 at 15 and 23 do not rise: both get their mean.
    EXPECT_THAT(curve.points(),
                ElementsAre(Curve::Point{0, 0}, Curve::Point{7, 2500}, Curve::Point{15, 6000},
                            Curve::Point{23, 6000}, Curve::Point{31, 9000}));
}

TEST(MeasureHostCallsBeside, takes_the_median_of_processes) {
    const auto process = [](int small, int large) {
        return "sample launch_by_parameter_bytes 8 " + std::to_string(small) +
               "\nsample launch_by_parameter_bytes 4096 " + std::to_string(large) + "\n";
    };
    const auto draft = Runs{}
                           .untraced("launch_parameters", process(4000, 5000))
                           .untraced("launch_parameters", process(3000, 3500))
                           .untraced("launch_parameters", process(3200, 4400))
                           .draft_after(measure_launch_parameters);
    ASSERT_EQ(draft.notes.observations.size(), 1U);
    const auto& made = draft.notes.observations[0];
    EXPECT_EQ(made.name, "host.launch_ns_by_parameter_bytes");
    ASSERT_EQ(made.points.size(), 2U);
    EXPECT_EQ(made.points[0].second.value, 3200);
    EXPECT_EQ(made.points[1].first, 4096);
    EXPECT_EQ(made.points[1].second.value, 4400);
    EXPECT_EQ(made.points[1].second.low, 3500);
    EXPECT_EQ(made.points[1].second.high, 5000);
    EXPECT_THAT(made.source, HasSubstr("median of processes"));
    EXPECT_THAT(made.source, HasSubstr("driver 1, CUDA 2, today"));
}

TEST(MeasureGraphs, takes_the_time_of_a_kernel_in_a_graph_from_the_slope) {
    // 7000 ns and 500 for each kernel as a graph; 4000 for each alone.
    std::string text;
    for (const int kernels : {10, 100, 400}) {
        const auto x = std::to_string(kernels);
        text += "sample graph_call " + x + " 2000\nsample launches_call " + x + " 1\n";
        text += "sample graph_wall " + x + " " + std::to_string(7000 + 500 * kernels) + "\n";
        text += "sample launches_wall " + x + " " + std::to_string(6000 + 4000 * kernels) + "\n";
    }
    const auto notes = Runs{}.untraced("graphs", text).draft_after(measure_graphs).notes;
    ASSERT_EQ(notes.observations.size(), 4U);
    EXPECT_EQ(notes.observations[2].name, "graph.ns_per_kernel");
    EXPECT_NEAR(notes.observations[2].points[0].second.value, 500, 1e-6);
    EXPECT_NEAR(notes.observations[3].points[0].second.value, 4000, 1e-6);
}

TEST(MeasureDeviceCopies, cuts_where_the_cache_ends) {
    // 4 B/ns up to 16 MB, 2 B/ns from 32 MB on; memsets are one line.
    std::vector<Phase> phases;
    for (std::uint64_t bytes = 1'000'000; bytes <= 512'000'000; bytes *= 2) {
        const auto of = [&](ActivityKind kind, std::uint64_t per_ns) {
            const auto took = 1us + Duration{static_cast<Duration::rep>(bytes / per_ns / 1000)};
            std::vector<Slot> slots;
            for (int i = 0; i < 4; ++i) {
                slots.push_back({kind, i * 10s, i * 10s + took * 1, bytes});
            }
            return slots;
        };
        phases.push_back(phase("d2d", static_cast<double>(bytes), 0,
                               of(ActivityKind::d2d, bytes <= 16'000'000 ? 4 : 2)));
        phases.push_back(
            phase("memset", static_cast<double>(bytes), 0, of(ActivityKind::memset, 4)));
    }
    const auto draft = Runs{}.traced("device_copies", phases).draft_after(measure_device_copies);
    ASSERT_EQ(draft.model.d2d.pieces.size(), 2U);
    EXPECT_EQ(draft.model.d2d.pieces[1].from, Bytes{32'000'000});
    EXPECT_NEAR(draft.model.d2d.pieces[0].bandwidth.bytes_per_s(), 4e12, 1e10);
    EXPECT_NEAR(draft.model.d2d.pieces[1].bandwidth.bytes_per_s(), 2e12, 1e10);
    EXPECT_TRUE(draft.model.memset.pieces.empty());
    EXPECT_THAT(draft.notes.parameters.at("memset.pieces").source, HasSubstr("one line"));
}

TEST(MeasureWaitingTurnaround, takes_what_each_copy_of_a_chain_takes_longer) {
    // 32 further copies: 4000 and 7000 ns each alone; with two channels no more, with three 300 ns
    // more at either size, with four 200 and 500.
    const auto model = Runs{}
                           .untraced("waiting_turnaround",
                                     "sample turnaround_h2d_few 64 40000\n"
                                     "sample turnaround_h2d_many 64 168000\n"
                                     "sample turnaround_h2d_few 256 60000\n"
                                     "sample turnaround_h2d_many 256 284000\n"
                                     "sample turnaround_h2d_few 20064 41000\n"
                                     "sample turnaround_h2d_many 20064 169000\n"
                                     "sample turnaround_h2d_few 20256 60000\n"
                                     "sample turnaround_h2d_many 20256 284000\n"
                                     "sample turnaround_h2d_few 30064 40000\n"
                                     "sample turnaround_h2d_many 30064 177600\n"
                                     "sample turnaround_h2d_few 30256 60000\n"
                                     "sample turnaround_h2d_many 30256 293600\n"
                                     "sample turnaround_h2d_few 40064 40000\n"
                                     "sample turnaround_h2d_many 40064 174400\n"
                                     "sample turnaround_h2d_few 40256 60000\n"
                                     "sample turnaround_h2d_many 40256 300000\n")
                           .draft_after(measure_waiting_turnaround)
                           .model;
    const auto& growth = model.h2d.turnaround_growth_ns;
    EXPECT_EQ(growth.linear(2), 0);
    EXPECT_EQ(growth.linear(3), 300);
    EXPECT_EQ(growth.linear(4), 350);
    EXPECT_TRUE(model.d2h.turnaround_growth_ns.empty());
}

TEST(ProbeRuns, gives_each_probe_of_a_process_what_is_its_own) {
    ProbeRun run;
    run.printed = "probe copies\nsample call_h2d 4 1\nprobe events\nsample call_h2d 4 2\n";
    run.phases = {{{}, {}}, {{"h2d", 4, 0, "copies"}, {}}, {{"chain", 1, 0, "events"}, {}}};
    ProbeRuns runs;
    runs.add({"copies events", ProbeMode::full}, run);
    const auto& copies = runs.get("copies", ProbeMode::full);
    EXPECT_EQ(copies.output.median("call_h2d", 4), 1);
    ASSERT_EQ(copies.phases.size(), 1U);
    EXPECT_EQ(copies.phases.front().label.quantity, "h2d");
    EXPECT_EQ(runs.get("events", ProbeMode::full).output.median("call_h2d", 4), 2);
}

}  // namespace
}  // namespace overcast
