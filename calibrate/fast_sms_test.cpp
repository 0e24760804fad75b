#include "calibrate/measurements.hpp"
#include "core/error.hpp"
#include "tests/support/made_up_runs.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace overcast {
namespace {

using test::Runs;
using ::testing::ThrowsMessage;

/// Of ten SMs the third and the eighth are fast.
std::string ends(const std::string& quantity, double fast, double others) {
    std::string text;
    for (int sm = 0; sm < 10; ++sm) {
        const auto end = sm % 5 == 2 ? fast : others;
        text += fmt::format("sample {0} {1} {2}\nsample {0} {1} {3}\nsample {0} {1} {2}\n",
                            quantity, sm, end, 2 * end);
    }
    return text;
}

FastSms measured(const std::string& text) {
    return Runs{}
        .untraced("fast_sms", text)
        .draft_after(measure_fast_sms)
        .model.kernels.capacities.fast_sms;
}

TEST(MeasureFastSms, finds_those_that_end_before_others_and_how_much_faster_they_were) {
    const auto found =
        measured(ends("fast_sms_gathers", 0.75, 1) + ends("fast_sms_few_chains", 0.95, 0.95) +
                 ends("fast_sms_chains", 0.9, 1) + ends("fast_sms_lines", 0.8, 1));
    EXPECT_DOUBLE_EQ(found.share, 0.2);
    EXPECT_NEAR(found.speed, 0.8 / 0.55, 1e-12) << "in the mean of all as fast as others";
    EXPECT_NEAR(found.speed_of_chains, (1 + 0.8 / 0.7) / 2, 1e-12);
    EXPECT_NEAR(found.speed_of_lines, 0.8 / 0.6, 1e-12);
}

TEST(MeasureFastSms, finds_none_where_all_end_together) {
    const auto found =
        measured(ends("fast_sms_gathers", 0.97, 1) + ends("fast_sms_few_chains", 0.95, 1) +
                 ends("fast_sms_chains", 0.9, 1) + ends("fast_sms_lines", 0.8, 1));
    EXPECT_EQ(found.share, 0);
    EXPECT_EQ(found.speed, 1);
    EXPECT_EQ(found.speed_of_chains, 1);
    EXPECT_EQ(found.speed_of_lines, 1);
}

TEST(MeasureFastSms, takes_no_sm_for_fast_because_a_few_were_held_up) {
    EXPECT_EQ(measured(ends("fast_sms_gathers", 1, 0.8) + ends("fast_sms_few_chains", 1, 1) +
                       ends("fast_sms_chains", 1, 1) + ends("fast_sms_lines", 1, 1))
                  .share,
              0);
}

TEST(MeasureFastSms, says_where_the_probe_brought_nothing) {
    EXPECT_THAT([] { measured(ends("fast_sms_gathers", 0.7, 1)); },
                ThrowsMessage<ModelFileError>(
                    "the probe fast_sms brought no times of fast_sms_few_chains"));
}

}  // namespace
}  // namespace overcast
