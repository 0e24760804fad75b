#include "validate/accuracy.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace overcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

RunAccuracy run_with_error(double percent, std::uint32_t streams = 2) {
    RunAccuracy run;
    run.measured.streams = streams;
    run.error_percent = percent;
    return run;
}

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

TEST(AccuracySummary, counts_runs_on_several_streams_alone) {
    const std::vector<RunAccuracy> runs{run_with_error(50, 1), run_with_error(-3),
                                        run_with_error(1)};
    const AccuracySummary summary = summarise(runs);
    EXPECT_EQ(summary.runs, 2U);
    EXPECT_DOUBLE_EQ(summary.mean_percent, 2);    // (3 + 1) / 2
    EXPECT_DOUBLE_EQ(summary.median_percent, 2);  // between 1 and 3
    EXPECT_DOUBLE_EQ(summary.max_percent, 3);
    EXPECT_DOUBLE_EQ(summary.bias_percent, -1);  // (-3 + 1) / 2
}

TEST(AccuracySummary, takes_the_middle_error_as_median) {
    const std::vector<RunAccuracy> runs{run_with_error(-9), run_with_error(2), run_with_error(4)};
    EXPECT_DOUBLE_EQ(summarise(runs).median_percent, 4);  // of 2, 4, 9
}

TEST(AccuracySummary, takes_p95_by_nearest_rank) {
    std::vector<RunAccuracy> runs;
    for (int i = 1; i <= 40; ++i) {
        runs.push_back(run_with_error(i));
    }
    EXPECT_DOUBLE_EQ(summarise(runs).p95_percent, 38);  // rank 0.95 * 40 = 38
    runs.push_back(run_with_error(41));
    EXPECT_DOUBLE_EQ(summarise(runs).p95_percent, 39);  // rank 38.95, rounded up
}

TEST(AccuracySummary, is_zero_without_runs_on_several_streams) {
    const AccuracySummary summary = summarise(std::vector{run_with_error(7, 1)});
    EXPECT_EQ(summary.runs, 0U);
    EXPECT_EQ(summary.max_percent, 0);
}

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
    EXPECT_EQ(result.summary.runs, 2U);
    EXPECT_DOUBLE_EQ(result.summary.mean_percent, 22.5);
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

TEST(AccuracyTable, shows_error_beside_noise_and_keeps_to_80_columns) {
    RecordedTruth truth;
    truth.case_name = "pipeline";
    truth.device = "NVIDIA H200";
    truth.runs = {measured(IssueOrder::breadth, 12, std::chrono::microseconds{1250})};
    truth.runs[0].noise_percent = 0.06;
    const CaseAccuracy result = compare_with_truth(truth, FixedPredictor{});
    const std::string table = accuracy_table(std::vector{result});
    EXPECT_EQ(table,
              "pipeline: measured on NVIDIA H200, predicted with round-numbers\n"
              "  transform       order    streams  measured us predicted us  error %  noise %\n"
              "  distribute      breadth       12       1250.0       1000.0   -20.00     0.06\n"
              "  1 runs on 2 or more streams: error mean 20.00 %, median 20.00 %,\n"
              "  p95 20.00 %, worst 20.00 %, bias -20.00 %\n");
    for (std::size_t begin = 0; begin < table.size();) {
        const std::size_t end = table.find('\n', begin);
        EXPECT_LE(end - begin, 80U) << table.substr(begin, end - begin);
        begin = end + 1;
    }
}

TEST(AccuracyTable, adds_a_summary_of_all_cases_where_there_are_several) {
    CaseAccuracy first;
    first.runs = {run_with_error(2)};
    CaseAccuracy second;
    second.runs = {run_with_error(-6)};
    EXPECT_THAT(accuracy_table(std::vector{first}), Not(HasSubstr("all ")));
    // Sizes 2 and 6, signed +2 and -6.
    EXPECT_THAT(accuracy_table(std::vector{first, second}),
                HasSubstr("all 2 cases\n  2 runs on 2 or more streams: error mean 4.00 %, median "
                          "4.00 %,\n  p95 6.00 %, worst 6.00 %, bias -2.00 %\n"));
}

}  // namespace
}  // namespace overcast
