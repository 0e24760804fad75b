// Gaps: what the probes gaps* give.
#include "calibrate/measurements.hpp"

#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using namespace test;

TEST(MeasureGaps, takes_from_each_traced_gap_what_tracing_added) {
    // A unit of three gaps takes 46 us traced and 43 untraced: 1 us each. Chains of 6 and 26 units.
    const auto chain = [](int kernels, int unit) {
        const auto row = [](const std::string& name, int nanoseconds) {
            return "sample " + name + " -1 " + std::to_string(nanoseconds) + "\n";
        };
        std::string text;
        for (const std::string operations : {"k", "h", "d", "hk", "kd", "hd", "hkd"}) {
            for (const int units : {6, 26}) {
                text += row("gaps_" + operations + "_k_event_" + std::to_string(units),
                            units * (operations.size() > 1 ? unit : kernels));
            }
        }
        return text;
    };
    const std::vector<Slot> unit{{ActivityKind::h2d, 0us, 5us},
                                 {ActivityKind::kernel, 9us, 29us},
                                 {ActivityKind::d2h, 34us, 38us},
                                 {ActivityKind::h2d, 44us, 49us}};
    const std::vector<Slot> kernels{{ActivityKind::kernel, 0us, 20us},
                                    {ActivityKind::kernel, 22us, 42us}};
    const auto model = Runs{}
                           .traced("gaps_idle",
                                   {phase("gaps_hkd_k_event", -1, 0, unit),
                                    phase("gaps_k_k_event", -1, 0, kernels)},
                                   chain(22'500, 43'000))
                           .printed("gaps_idle", ProbeMode::light, chain(21'300, 43'000))
                           .printed("gaps_idle", ProbeMode::minimal, chain(21'200, 43'000))
                           .untraced("gaps_idle", chain(21'000, 40'750))
                           .draft_after(measure_gaps)
                           .model;
    const auto base = [&](GapKind kind) { return model.gaps.base[static_cast<std::size_t>(kind)]; };
    const auto& recorders = model.tracing_cost.traced.gaps;
    const auto of = [](const auto& gaps, GapKind kind) {
        return gaps[static_cast<std::size_t>(kind)];
    };
    EXPECT_EQ(of(recorders, GapKind::kernel_to_kernel), 1500ns);
    EXPECT_EQ(of(recorders, GapKind::d2h_to_d2h), 1500ns);
    EXPECT_EQ(of(recorders, GapKind::kernel_to_d2h), 1us);  // 4 * 2.25 us over 9 gaps
    EXPECT_EQ(of(model.light_tracing.gaps, GapKind::kernel_to_kernel), 300ns);
    EXPECT_EQ(of(model.minimal_tracing.gaps, GapKind::kernel_to_kernel), 200ns);
    EXPECT_EQ(base(GapKind::h2d_to_kernel), 3us);
    EXPECT_EQ(base(GapKind::kernel_to_d2h), 4us);
    EXPECT_EQ(base(GapKind::d2h_to_h2d), 5us);
    EXPECT_EQ(base(GapKind::kernel_to_kernel), 500ns);  // 2 us less 1.5
}

TEST(MeasureGapsAtWork, counts_two_channels_for_each_stream_at_work) {
    // 1.5 us alone, on an idle link 1 us more for each stream at work, beside H2D 4; beside D2H
    // the second measured less than the first: both get their mean.
    std::string text;
    const auto row = [&](const std::string& beside, int at_work, int gap) {
        text += "sample gap_at_work_" + beside + " " + std::to_string(at_work) + " " +
                std::to_string(gap) + "\n";
    };
    for (const int at_work : {0, 1, 2}) {
        row("idle", at_work, 1500 + 1000 * at_work);
        row("h2d", at_work, 1500 + 4000 * at_work);
        row("d2h", at_work, at_work == 0 ? 1500 : 3500 - 200 * at_work);
    }
    const auto model =
        Runs{}.untraced("gaps_at_work", text).draft_after(measure_gaps_at_work).model;
    const auto kernels = static_cast<std::size_t>(GapKind::kernel_to_kernel);
    const auto& gaps = model.gaps;
    EXPECT_EQ(gaps.growth_ns[kernels].linear(0), 0);
    EXPECT_EQ(gaps.growth_ns[kernels].linear(2), 1000);
    EXPECT_EQ(gaps.growth_ns[kernels].linear(4), 2000);
    EXPECT_EQ(gaps.growth_beside_h2d_ns[kernels].linear(4), 8000);
    EXPECT_EQ(gaps.growth_beside_d2h_ns[kernels].linear(2), 1700);
    EXPECT_EQ(gaps.growth_beside_d2h_ns[kernels].linear(4), 1700);
}

TEST(MeasureGapsAfterReads, compares_gaps_behind_reads_with_those_behind_nothing_read) {
    std::string text;
    const auto row = [&](const std::string& beside, int kib, int gap) {
        text += "sample gap_after_reads_" + beside + " " + std::to_string(kib) + " " +
                std::to_string(gap) + "\n";
    };
    for (const int kib : {0, 1024, 4096}) {
        row("idle", kib, 1400 + kib / 10);
        row("h2d", kib, 1600 + kib / 2);
        row("d2h", kib, 1500 + kib / 4);
    }
    const auto by_bytes = Runs{}
                              .untraced("gaps_at_work", text)
                              .draft_after(measure_gaps_after_reads)
                              .model.gaps.growth_ns_by_bytes;
    EXPECT_EQ(by_bytes[0].linear(1 << 20), 102);
    EXPECT_EQ(by_bytes[1].linear(0), 0);
    EXPECT_EQ(by_bytes[1].linear(2 << 20), 1024);
    EXPECT_EQ(by_bytes[1].linear(64 << 20), 2048);
    EXPECT_EQ(by_bytes[2].linear(4 << 20), 1024);
}

TEST(MeasureGapsBesideCopies, takes_what_a_loaded_link_adds) {
    // 30 us alone; 5 us more beside copies, of which the duplex factor of the chains' own copies of
    // 128 KiB explains a part.
    std::string text;
    const auto row = [&](const std::string& chain, int waiting, int unit) {
        for (const int units : {6, 26}) {
            text += "sample " + chain + "_" + std::to_string(units) + " " +
                    std::to_string(waiting) + " " + std::to_string(1'000'000 + units * unit) + "\n";
        }
    };
    for (const int waiting : {0, 1, 2, 3}) {
        row("gaps_kd_d_beside_h2d", waiting, 35'000);
        row("gaps_hk_k_beside_d2h", waiting, 35'000);
    }
    row("gaps_kd_d_event", 0, 30'000);
    row("gaps_hk_k_event", 0, 30'000);
    const auto model =
        Runs{}.untraced("gaps_beside_copies", text).draft_after(measure_gaps_beside_copies).model;
    const auto& gaps = model.gaps;
    const auto to_d2h = static_cast<std::size_t>(GapKind::kernel_to_d2h);
    const double bytes = 128 << 10;
    const double alone = static_cast<double>(model.d2h.latency.count()) +
                         bytes / model.d2h.bandwidth.bytes_per_s() * 1e9;
    EXPECT_NEAR(gaps.growth_beside_h2d_ns[to_d2h].linear(0),
                5000 - alone * (model.d2h.duplex_factor.logarithmic(bytes) - 1), 1);
}

TEST(MeasureGapsBetweenCopies,
     compares_a_gap_beside_the_other_stream_with_one_beside_an_idle_link) {
    // Two streams take turns: copies of 80 us, the gap behind each 4 us, and 7 us beside a copy;
    // one more channel waits: 9 us. The last copy of a stream has no copy behind it.
    const auto units = [](const std::string& name, int waiting, ActivityKind copy,
                          ActivityKind next, int streams, Duration gap) {
        std::vector<Slot> slots;
        for (int i = 0; i < 6; ++i) {
            const Duration end = i * (streams == 1 ? 160us : 80us) + 80us;
            const auto stream = static_cast<std::uint32_t>(1 + i % streams);
            slots.push_back({copy, end - 80us, end, 4 << 20, 10 + stream, stream});
            const auto behind = streams == 1 || i == 5 ? 4us : gap;
            slots.push_back({next, end + behind, end + behind + 20us, 1, 1, stream});
        }
        std::ranges::sort(slots, {}, &Slot::start);
        return phase(name, waiting, 0, slots);
    };
    std::vector<Phase> phases;
    for (const auto& [name, copy, next] :
         {std::tuple{"gap_hk", ActivityKind::h2d, ActivityKind::kernel},
          std::tuple{"gap_dh", ActivityKind::d2h, ActivityKind::h2d}}) {
        phases.push_back(units(std::string{name} + "_alone", 0, copy, next, 1, 4us));
        phases.push_back(units(std::string{name} + "_turns", 0, copy, next, 2, 7us));
        phases.push_back(units(std::string{name} + "_turns", 1, copy, next, 2, 9us));
    }
    const auto draft =
        Runs{}.traced("gaps_between_copies", phases).draft_after(measure_gaps_between_copies);
    const auto& gaps = draft.model.gaps;
    const auto& kernels =
        gaps.growth_beside_h2d_ns[static_cast<std::size_t>(GapKind::h2d_to_kernel)];
    EXPECT_EQ(kernels.linear(1), 3000);  // the other stream's kernel waits, too
    EXPECT_EQ(kernels.linear(2), 5000);
    const auto& copies = gaps.growth_beside_d2h_ns[static_cast<std::size_t>(GapKind::d2h_to_h2d)];
    EXPECT_EQ(copies.linear(0), 3000);
}

}  // namespace
}  // namespace overcast
