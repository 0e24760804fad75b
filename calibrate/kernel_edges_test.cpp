#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace overcast {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace test;

/// Kernels one behind the other, each so long, behind one that holds them back.
Phase chain(const std::string& quantity, double rounds, int kernels, Duration each) {
    std::vector<Slot> slots{{ActivityKind::kernel, 0us, 1000us}};
    for (int i = 0; i < kernels; ++i) {
        const auto start = 1000us + i * each;
        slots.push_back({ActivityKind::kernel, start, start + each});
    }
    auto made = phase(quantity, rounds, 1, slots);
    made.activities.front().name = "spin_for(unsigned long)";
    return made;
}

std::vector<Phase> of_a_kind(const std::string& kind, double rounds, Duration alone,
                             Duration among_others) {
    return {chain("edges_alone_" + kind, rounds, 12, alone),
            chain("edges_few_" + kind, rounds, 32, among_others),
            chain("edges_many_" + kind, rounds, 96, among_others)};
}

TEST(MeasureKernelEdges, are_what_a_kernel_takes_longer_alone_than_among_others_beside_the_floor) {
    auto phases = of_a_kind("reads", 32, 10us, 8us);
    for (auto& phase : of_a_kind("reads", 128, 40us, 38'500ns)) {
        phases.push_back(phase);
    }
    for (auto& phase : of_a_kind("chase", 4, 20us, 18'300ns)) {
        phases.push_back(phase);
    }
    const auto draft = Runs{}.traced("kernel_edges", phases).draft_after(measure_kernel_edges);
    // 2, 1.5 and 1.7 us
    EXPECT_EQ(draft.model.kernels.edges, 1700ns - defaults().kernels.floor);
}

TEST(MeasureKernelEdges, says_which_kernels_are_missing) {
    auto phases = of_a_kind("reads", 32, 10us, 8us);
    phases.pop_back();
    const auto measured = [&] {
        return Runs{}.traced("kernel_edges", phases).draft_after(measure_kernel_edges);
    };
    EXPECT_THAT(measured, ThrowsMessage<ModelFileError>(
                              "the probe kernel_edges brought no kernels of edges_many_reads"));
    phases.push_back(chain("edges_many_reads", 32, 32, 8us));  // as many as few
    EXPECT_THAT(measured, ThrowsMessage<ModelFileError>(HasSubstr("no more kernels")));
}

}  // namespace
}  // namespace overcast
