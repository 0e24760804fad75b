#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

using test::Runs;
using ::testing::ThrowsMessage;

TEST(MeasureSmEnds, is_the_mean_of_chains_and_streams) {
    const std::string text =
        "sample sm_ends_chains 132 0.03\nsample sm_ends_chains 132 0.04\n"
        "sample sm_ends_chains 132 0.2\nsample sm_ends_stream 132 0.06\n"
        "sample sm_ends_mixed 6 0.7\nsample sm_ends_mixed 6 0.9\nsample sm_ends_mixed 6 0.8\n";
    const auto kernels =
        Runs{}.untraced("sm_ends", text).draft_after(measure_sm_ends).model.kernels;
    EXPECT_DOUBLE_EQ(kernels.ends_apart, 0.05);
    EXPECT_DOUBLE_EQ(kernels.ends_mixed, 0.8);
}

TEST(MeasureSmEnds, says_where_the_probe_brought_nothing) {
    const auto measured = [] {
        return Runs{}
            .untraced("sm_ends", "sample sm_ends_chains 132 0.03\n")
            .draft_after(measure_sm_ends);
    };
    EXPECT_THAT(measured, ThrowsMessage<ModelFileError>(
                              "the probe sm_ends brought no times of sm_ends_stream"));
}

}  // namespace
}  // namespace overcast
