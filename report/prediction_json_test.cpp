#include "report/prediction_json.hpp"

#include "report/report_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace overcast {
namespace {

using Json = nlohmann::ordered_json;

PredictionSweep one_prediction() {
    auto sweep = sample_sweep_with_intervals();
    sweep.predictions = {sweep.predictions[2]};
    sweep.best = 0;
    return sweep;
}

TEST(PredictionJson, looks_like_this) {
    EXPECT_EQ('\n' + prediction_json(one_prediction()), R"(
{
  "schema_version": 1,
  "trace": "traces/pipeline.json.gz",
  "device_model": "nvidia-h200",
  "transform": "distribute",
  "sync": "defer",
  "predictions": [
    {
      "streams": 4,
      "order": "depth",
      "units": 20,
      "parts": 1,
      "max_connections": 8,
      "wall_us": 7500.0,
      "interval_us": {
        "low": 7350.0,
        "high": 7800.0,
        "level": 0.9
      },
      "device_us": 7480.0,
      "speedup": 2.0,
      "bound_by": "h2d",
      "utilisation": {
        "h2d": 0.98,
        "d2h": 0.6,
        "sm": 0.54,
        "host": 0.06
      },
      "device_bytes": 50331648,
      "warnings": [
        {
          "code": "private-copies",
          "text": "4 units write the same buffer."
        }
      ]
    }
  ],
  "best": {
    "streams": 4,
    "order": "depth",
    "wall_us": 7500.0
  },
  "setup_us": 312000.0,
  "overheads": {
    "host2kern_ovhd": {
      "median_us": 4.2,
      "p10_us": 4.0,
      "p90_us": 8.6,
      "count": 20
    }
  },
  "warnings": [
    {
      "code": "dropped-records",
      "text": "3 records were dropped: record a shorter run."
    }
  ]
}
)");
}

TEST(PredictionJson, of_several_traces_is_a_list_of_results) {
    const auto json = Json::parse(prediction_json(std::vector{sample_sweep(), one_prediction()}));
    EXPECT_EQ(json.at("schema_version"), 1);
    ASSERT_EQ(json.at("results").size(), 2U);
    EXPECT_EQ(json["results"][0]["predictions"].size(), 5U);
    EXPECT_EQ(json["results"][1], Json::parse(prediction_json(one_prediction())));
}

TEST(PredictionJson, keeps_whole_nanoseconds) {
    auto sweep = one_prediction();
    sweep.predictions[0].wall = Duration{123'456'789'012'345};
    const auto json = Json::parse(prediction_json(sweep));
    EXPECT_EQ(json["predictions"][0]["wall_us"].get<double>(), 123'456'789'012.345);
}

TEST(PredictionJson, has_null_where_no_interval_was_worked_out) {
    const auto json = Json::parse(prediction_json(sample_sweep_with_intervals()));
    EXPECT_TRUE(json["predictions"][1].at("interval_us").is_null());
}

TEST(PredictionJson, is_valid_where_a_name_is_not_utf_8) {
    auto sweep = one_prediction();
    sweep.trace = "caf\xe9.json";
    EXPECT_EQ(Json::parse(prediction_json(sweep)).at("trace"), "caf\xEF\xBF\xBD.json");
}

TEST(PredictionJson, has_no_best_where_nothing_was_predicted) {
    auto sweep = one_prediction();
    sweep.predictions.clear();
    sweep.best.reset();
    EXPECT_TRUE(Json::parse(prediction_json(sweep)).at("best").is_null());
}

TEST(PredictionJson, other_models_stand_beside_where_they_were_asked_for) {
    const auto text = prediction_json(sample_sweep_beside_others(false));
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["predictions"][0]["baselines"].dump(),
              R"({"one-stream-model":15100.0,"serial":15200.0})");
    EXPECT_EQ(json["predictions"][2]["baselines"].dump(),
              R"({"one-stream-model":null,"serial":15200.0})");
    EXPECT_THAT(prediction_json(sample_sweep()), ::testing::Not(::testing::HasSubstr("baselines")));
}

}  // namespace
}  // namespace overcast
