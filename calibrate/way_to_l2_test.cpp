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

TEST(MeasureWayToL2, is_what_is_written_and_what_reads_take_beside_it) {
    const std::string text =
        "sample way_to_l2_written 8 1.9\nsample way_to_l2_written 8 2\n"
        "sample way_to_l2_written 8 2.1\nsample way_to_l2_rewritten 8 2.5\n";
    const auto capacities =
        Runs{}.untraced("way_to_l2", text).draft_after(measure_way_to_l2).model.kernels.capacities;
    EXPECT_DOUBLE_EQ(capacities.l2_path_sent, 64);
    EXPECT_DOUBLE_EQ(capacities.l2_path_sent_per_load, 32);
}

TEST(MeasureWayToL2, says_where_the_probe_brought_nothing) {
    const auto measured = [] {
        return Runs{}
            .untraced("way_to_l2", "sample way_to_l2_written 8 2\n")
            .draft_after(measure_way_to_l2);
    };
    EXPECT_THAT(measured, ThrowsMessage<ModelFileError>(
                              "the probe way_to_l2 brought no times of way_to_l2_rewritten"));
}

}  // namespace
}  // namespace overcast
