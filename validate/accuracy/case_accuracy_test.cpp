#include "validate/accuracy/case_accuracy.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RecordedRun measured(IssueOrder order, std::uint32_t streams, Duration wall) {
    RecordedRun run;
    run.order = order;
    run.streams = streams;
    run.units = 20;
    run.wall_median = run.wall_min = run.wall_max = wall;
    return run;
}

/// Predicts 1000 us for every configuration asked, and remembers what was asked.
struct FixedPredictor {
    std::vector<ForecastOptions> asked;
    std::uint32_t units = 20;

    PredictionSweep operator()(const ForecastOptions& options) {
        asked.push_back(options);
        PredictionSweep sweep;
        sweep.device_model = "round-numbers";
        for (const IssueOrder order : options.orders) {
            for (const std::uint32_t streams : options.streams) {
                Prediction prediction;
                prediction.configuration.order = order;
                prediction.configuration.streams = streams;
                prediction.units = units;
                prediction.wall = std::chrono::microseconds{1000};
                sweep.predictions.push_back(prediction);
            }
        }
        return sweep;
    }
};

TEST(CompareWithTruth, sets_each_prediction_beside_its_own_run) {
    RecordedTruth truth;
    truth.case_name = "balanced";
    truth.device = "NVIDIA H200";
    truth.runs = {measured(IssueOrder::breadth, 4, std::chrono::microseconds{800}),
                  measured(IssueOrder::depth, 2, std::chrono::microseconds{1250}),
                  measured(IssueOrder::depth, 1, std::chrono::microseconds{2000})};
    FixedPredictor predictor;
    const CaseAccuracy result = compare_with_truth(truth, std::ref(predictor));

    EXPECT_EQ(result.device_model, "round-numbers");
    ASSERT_EQ(result.runs.size(), 3U);
    EXPECT_EQ(result.runs[0].measured.streams, 4U);
    EXPECT_DOUBLE_EQ(result.runs[0].error_percent, 25);   // 1000 for 800
    EXPECT_DOUBLE_EQ(result.runs[1].error_percent, -20);  // 1000 for 1250
    EXPECT_DOUBLE_EQ(result.runs[2].error_percent, -50);  // 1000 for 2000
    EXPECT_TRUE(result.warnings.empty());
}

TEST(CompareWithTruth, asks_for_the_configurations_of_the_runs_and_no_others) {
    RecordedTruth truth;
    truth.runs = {measured(IssueOrder::depth, 8, Duration{1}),
                  measured(IssueOrder::depth, 2, Duration{1}),
                  measured(IssueOrder::breadth, 3, Duration{1}),
                  measured(IssueOrder::breadth, 3, Duration{1})};
    truth.runs[3].max_connections = 32;
    FixedPredictor predictor;
    compare_with_truth(truth, std::ref(predictor));

    ASSERT_EQ(predictor.asked.size(), 3U);
    const auto streams_asked = [&](IssueOrder order, std::optional<std::uint32_t> connections) {
        const auto found = std::ranges::find_if(predictor.asked, [&](const ForecastOptions& asked) {
            return asked.orders.front() == order && asked.max_connections == connections;
        });
        return found == predictor.asked.end() ? std::vector<std::uint32_t>{} : found->streams;
    };
    EXPECT_THAT(streams_asked(IssueOrder::depth, std::nullopt), ElementsAre(2, 8));
    EXPECT_THAT(streams_asked(IssueOrder::breadth, std::nullopt), ElementsAre(3));
    EXPECT_THAT(streams_asked(IssueOrder::breadth, 32), ElementsAre(3));
}

TEST(CompareWithTruth, keeps_the_callers_other_options) {
    RecordedTruth truth;
    truth.runs = {measured(IssueOrder::depth, 2, Duration{1})};
    FixedPredictor predictor;
    ForecastOptions options;
    options.rules.switch_off(Rule::duplex);
    compare_with_truth(truth, std::ref(predictor), options);
    EXPECT_FALSE(predictor.asked.at(0).rules[Rule::duplex]);
}

TEST(CompareWithTruth, warns_where_other_work_was_predicted_than_measured) {
    RecordedTruth truth;
    truth.runs = {measured(IssueOrder::depth, 2, Duration{1}),
                  measured(IssueOrder::depth, 3, Duration{1})};
    FixedPredictor predictor;
    predictor.units = 1;
    const CaseAccuracy result = compare_with_truth(truth, std::ref(predictor));
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0].code, "units-differ");
    EXPECT_THAT(result.warnings[0].text, HasSubstr("1 units were predicted where 20"));
}

TEST(CompareWithTruth, refuses_a_sweep_that_lacks_a_run) {
    RecordedTruth truth;
    truth.runs = {measured(IssueOrder::depth, 2, Duration{1})};
    EXPECT_THROW(
        compare_with_truth(truth, [](const ForecastOptions&) { return PredictionSweep{}; }), Error);
}

}  // namespace
}  // namespace overcast
