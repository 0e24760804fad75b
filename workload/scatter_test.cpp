#include "workload/scatter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace overcast {
namespace {

constexpr ScatterParameters kNothingAssumed{
    .pinned_copy = 0, .pageable_copy = 0, .kernel = 0, .host_call = 0};

/// Kernels, each with launches of the given durations in us.
Workload kernels(const std::vector<std::vector<int>>& launches) {
    Workload workload;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        Kernel kernel;
        kernel.name = workload.names.intern("kernel " + std::to_string(i));
        workload.kernels.push_back(kernel);
        for (const int microseconds : launches[i]) {
            Operation operation;
            operation.name = workload.names.intern("cudaLaunchKernel");
            operation.action = KernelLaunch{static_cast<KernelIndex>(i),
                                            Measured{std::chrono::microseconds{microseconds}, 1}};
            workload.operations.push_back(operation);
        }
    }
    return workload;
}

double half_width(const Workload& workload, const ScatterParameters& assumed, std::size_t of = 0) {
    return TraceScatter{workload, assumed}.of_duration(workload, workload.operations[of]);
}

TEST(TraceScatter, of_a_mean_is_that_of_two_runs) {
    // Mean 100, squares 4 * 100; two more operations are taken to have no scatter at all:
    // s^2 = 400 / (4 - 1 + 2) = 80, c = 0.08944. Two means of 4: 1.645 * c * sqrt(2 / 4).
    EXPECT_NEAR(half_width(kernels({{90, 110, 90, 110}}), kNothingAssumed),
                1.645 * std::sqrt(80.0) / 100 * std::sqrt(0.5), 1e-9);
}

TEST(TraceScatter, shrinks_with_the_number_of_launches) {
    const auto of = [](int pairs) {
        std::vector<int> durations;
        for (int i = 0; i < pairs; ++i) {
            durations.insert(durations.end(), {90, 110});
        }
        return half_width(kernels({durations}), kNothingAssumed);
    };
    EXPECT_LT(of(8), of(2) / 1.8);  // four times the launches, a little more than half of the width
    EXPECT_GT(of(8), of(2) / 2.2);
}

TEST(TraceScatter, of_a_single_launch_is_what_is_assumed) {
    // (0 + 2 * 0.02^2) / (1 - 1 + 2): c = 0.02.
    auto assumed = kNothingAssumed;
    assumed.kernel = 0.02;
    EXPECT_NEAR(half_width(kernels({{100}}), assumed), 1.645 * 0.02 * std::sqrt(2.0), 1e-9);
}

TEST(TraceScatter, is_nothing_where_nothing_scatters) {
    EXPECT_DOUBLE_EQ(half_width(kernels({{100, 100, 100}}), kNothingAssumed), 0);
}

TEST(TraceScatter, of_independent_classes_adds_up_in_squares) {
    // Two classes alike: each is moved by 1 / sqrt(2) of its own half width, so that their sum
    // moves by sqrt(2) of one's, not by twice as much.
    const auto one = half_width(kernels({{90, 110}}), kNothingAssumed);
    const auto two = kernels({{90, 110}, {90, 110}});
    EXPECT_NEAR(half_width(two, kNothingAssumed, 0), one / std::sqrt(2.0), 1e-9);
    EXPECT_NEAR(half_width(two, kNothingAssumed, 2), one / std::sqrt(2.0), 1e-9);
}

TEST(TraceScatter, knows_a_class_again_in_a_changed_workload) {
    const auto recorded = kernels({{90, 110, 90, 110}});
    const TraceScatter scatter{recorded, kNothingAssumed};
    auto cut = recorded;
    cut.kernels[0].shape.grid = {7, 1, 1};  // fewer blocks; the recorded amount stays
    EXPECT_DOUBLE_EQ(scatter.of_duration(cut, cut.operations[0]),
                     scatter.of_duration(recorded, recorded.operations[0]));
    EXPECT_GT(scatter.of_duration(cut, cut.operations[0]), 0);
}

TEST(TraceScatter, of_calls_goes_by_their_name) {
    auto workload = kernels({{100, 100, 100, 100}});
    workload.operations[1].name = workload.names.intern("cudaMemcpyAsync");
    workload.operations[3].name = workload.operations[1].name;
    // Launches of 2 and 4 us scatter, copies of 3 us do not.
    workload.operations[0].call_cost = std::chrono::microseconds{2};
    workload.operations[2].call_cost = std::chrono::microseconds{4};
    workload.operations[1].call_cost = std::chrono::microseconds{3};
    workload.operations[3].call_cost = std::chrono::microseconds{3};
    const TraceScatter scatter{workload, kNothingAssumed};
    // s^2 = 2 / (2 - 1 + 2), mean 3.
    EXPECT_NEAR(scatter.of_call(workload.operations[0]), 1.645 * std::sqrt(2.0 / 3) / 3, 1e-9);
    EXPECT_DOUBLE_EQ(scatter.of_call(workload.operations[1]), 0);
}

}  // namespace
}  // namespace overcast
