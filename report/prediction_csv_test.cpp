#include "report/prediction_csv.hpp"

#include "report/report_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace overcast {
namespace {

TEST(PredictionCsv, looks_like_this) {
    auto sweep = sample_sweep_with_intervals();
    sweep.predictions = {sweep.predictions[1], sweep.predictions[2]};
    sweep.best = 1;
    EXPECT_EQ(
        '\n' + prediction_csv({sweep}),
        R"(
trace,device_model,transform,sync,streams,order,units,parts,max_connections,wall_us,)"
        R"(interval_low_us,interval_high_us,device_us,speedup,bound_by,utilisation_h2d,utilisation_d2h,utilisation_sm,)"
        R"(utilisation_host,device_bytes,best,warnings
traces/pipeline.json.gz,nvidia-h200,distribute,defer,1,breadth,20,1,8,15000.000,,,)"
        R"(14980.000,1.000000,chain,0.610000,0.300000,0.270000,0.030000,50331648,0,dropped-records
traces/pipeline.json.gz,nvidia-h200,distribute,defer,4,depth,20,1,8,7500.000,7350.000,7800.000,)"
        R"(7480.000,2.000000,h2d,0.980000,0.600000,0.540000,0.060000,50331648,1,)"
        R"(dropped-records;private-copies
)");
}

TEST(PredictionCsv, quotes_what_needs_it) {
    auto sweep = sample_sweep();
    sweep.trace = R"(a "b", c.json)";
    EXPECT_THAT(prediction_csv({sweep}), ::testing::HasSubstr("\n\"a \"\"b\"\", c.json\",nvidia"));
}

TEST(PredictionCsv, names_its_columns_once_for_several_traces) {
    const auto text = prediction_csv({sample_sweep(), sample_sweep()});
    EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 2 * 5);
}

TEST(PredictionCsv, other_models_have_the_last_columns) {
    auto sweep = sample_sweep_beside_others(false);
    sweep.predictions = {sweep.predictions[0], sweep.predictions[2]};
    const auto text = prediction_csv({sweep});
    EXPECT_THAT(text, ::testing::HasSubstr(
                          ",best,warnings,baseline_serial_us,baseline_one_stream_model_us\n"));
    EXPECT_THAT(text, ::testing::HasSubstr(",dropped-records,15200.000,15100.000\n"));
    EXPECT_THAT(text, ::testing::HasSubstr(";private-copies,15200.000,\n"));
}

}  // namespace
}  // namespace overcast
