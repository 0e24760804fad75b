#include "calibrate/measurements.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

using test::Runs;

TEST(MeasureClusters, takes_the_sms_of_no_clusters_and_those_of_each_size) {
    const std::string text =
        "sample clusters_multiprocessors 2 132\nsample clusters_multiprocessors 4 120\n"
        "sample clusters_beside 2 0\nsample clusters_beside 4 8\nsample clusters_beside 4 8\n"
        "sample clusters_beside 4 9\nsample clusters_beside 16 10\n";
    const auto kernels =
        Runs{}.untraced("clusters", text).draft_after(measure_clusters).model.kernels;
    EXPECT_EQ(kernels.sms_beside_clusters, 8U);
    EXPECT_DOUBLE_EQ(kernels.cluster_multiprocessors.linear(4), 120);
}

TEST(MeasureClusters, keeps_what_the_model_has_where_a_gpu_has_no_clusters) {
    const auto before = Runs{}.untraced("clusters", "").draft_after([](const auto&, auto&) {});
    const auto after = Runs{}.untraced("clusters", "").draft_after(measure_clusters);
    EXPECT_EQ(after.model.kernels.sms_beside_clusters, before.model.kernels.sms_beside_clusters);
}

}  // namespace
}  // namespace overcast
